import { fromAbsolute, toCalendarDate } from '@internationalized/date';
import { hasHan, plainCharacters } from '../words/characters';
import { normalise } from '../words/normalise';
import { MathError, type DateSurroundings, type MathAnswer, type Solution, type Surroundings } from './answer';
import { Budget } from './budget';
import { readChineseDate } from './chinese-dates';
import { compute, printValue, readExpression } from './compute';
import { readConversion } from './conversion';
import { isSomethingElse, withoutCues, type Cue } from './cues';
import { findRuns } from './embedded';
import { readEnglishDate } from './english-dates';
import { readPercent } from './percent';

/** A whole text of more characters is no question of arithmetic. */
const MAX_PURE_CHARACTERS = 200;
/** With all its spaces and thanks. */
const MAX_RAW_CHARACTERS = 1_000;
/** A model may write longer expressions than people do. */
const MAX_ASKED_CHARACTERS = 1_000;
const MAX_EMBEDDED = 3;
/** What is longer is read to its beginning only: it is a document, not a question. */
const MAX_SCANNED_CHARACTERS = 4_000;

/**
 * Works out what a text asks for: dates, units, percentages and arithmetic, exactly, in English and Chinese. Never throws for any text. The work is
 * bounded by counting, not by the clock: what would cost more is `out_of_range`. Throws RangeError for a time zone that doesn't exist.
 */
export function solve(text: string, surroundings: Surroundings): Solution {
  const budget = new Budget();
  const answer = pureAnswer(text, surroundings, budget);
  if (answer !== null) return { shape: 'pure', answer };
  const answers = embeddedAnswers(text, budget);
  return answers.length === 0 ? { shape: 'none' } : { shape: 'embedded', answers };
}

/**
 * Works out what was certainly meant to be: an expression that a model wrote for a tool. A date may be a division here (7/4), and a bare number is its
 * own value. Null where it is nothing we understand. Throws RangeError for a time zone that doesn't exist.
 */
export function solveAsked(text: string, surroundings: Surroundings): MathAnswer | null {
  if (text.length > MAX_ASKED_CHARACTERS) return null;
  const utterance = normalise(text);
  const line = utterance.text.toLowerCase();
  const cued = { text: withoutCues(line, true).text, cue: 'strong' as const };
  return answerTo(line, cued, false, surroundings, new Budget());
}

/** The answer to the whole of a text; null where it is no question. */
function pureAnswer(text: string, surroundings: Surroundings, budget: Budget): MathAnswer | null {
  if (text.length > MAX_RAW_CHARACTERS || text.trim().includes('\n')) return null;
  const utterance = normalise(text);
  if (utterance.text.length > MAX_PURE_CHARACTERS) return null;
  const line = utterance.text.toLowerCase();
  return answerTo(line, withoutCues(line, utterance.isEquation), isSized(text), surroundings, budget);
}

function answerTo(
  line: string,
  { text, cue }: { readonly text: string; readonly cue: Cue },
  isSizeSign: boolean,
  surroundings: Surroundings,
  budget: Budget,
): MathAnswer | null {
  // Every shape has a number, or is about a day.
  if (text === '') return null;
  try {
    return (
      readDate(line, surroundings, cue) ??
      readConversion(text) ??
      readConversion(line) ??
      readPercent(text) ??
      readArithmetic(text, cue, isSizeSign, budget)
    );
  } catch (error) {
    if (error instanceof MathError) return { type: 'error', source: text, code: error.code };
    throw error;
  }
}

const ASKING = /^(?:what|which|how) |几|多少/;

function readDate(line: string, { now, zone, language }: Surroundings, cue: Cue): MathAnswer | null {
  const spoken = hasHan(line) ? 'zh' : 'en';
  const surroundings: DateSurroundings = { today: toCalendarDate(fromAbsolute(now, zone)), language: language ?? spoken };
  try {
    return spoken === 'zh' ? readChineseDate(line, surroundings, cue === 'strong') : readEnglishDate(line, surroundings, cue === 'strong');
  } catch (error) {
    // “66 million years ago” tells a story: who doesn't ask gets no error.
    if (error instanceof MathError && cue === 'none' && !ASKING.test(line)) return null;
    throw error;
  }
}

function readArithmetic(text: string, cue: Cue, isSizeSign: boolean, budget: Budget): MathAnswer | null {
  if (isSomethingElse(text, cue, isSizeSign)) return null;
  const parsed = readExpression(text);
  if (parsed === null || (parsed.operations === 0 && cue !== 'strong')) return null;
  return { type: 'value', kind: 'arith', source: text, ...printValue(compute(parsed, budget)) };
}

function embeddedAnswers(text: string, budget: Budget): readonly MathAnswer[] {
  const answers: MathAnswer[] = [];
  const lines = text.slice(0, MAX_SCANNED_CHARACTERS).split('\n');
  for (const run of findRuns(lines.map(inPlainCharacters))) {
    const answer = embeddedAnswer(run, budget);
    if (answer !== null) answers.push(answer);
    if (answers.length === MAX_EMBEDDED) break;
  }
  return answers;
}

/** 1080×1920 stays a size, as 1080x1920 is one. */
function inPlainCharacters(line: string): string {
  return plainCharacters(line.replace(/(?<=\d)×(?=\d)/g, 'x')).toLowerCase();
}

function embeddedAnswer(run: string, budget: Budget): MathAnswer | null {
  try {
    return readPercent(run) ?? readArithmetic(run, 'weak', false, budget);
  } catch (error) {
    if (error instanceof MathError) return { type: 'error', source: run, code: error.code };
    throw error;
  }
}

/** Whether a product sign may be that of a size: 1080×1920, 12x12. */
function isSized(text: string): boolean {
  return /\d[x×]\d/i.test(text);
}
