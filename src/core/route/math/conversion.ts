import type Fraction from 'fraction.js';
import type { MathAnswer } from './answer';
import { HALF, isMinus, readNumberPhrase } from './number-phrase';
import { printFraction } from './print';
import { tokenise, type Token } from './tokens';
import { convert, findUnit, type Unit } from './units';

/** An amount with its unit. */
interface Quantity {
  readonly value: Fraction;
  readonly unit: Unit;
}

const CONNECTORS = new Set(['to', 'in', 'into', 'as', '=']);
/** A unit's name has so many pieces at most: “degrees fahrenheit”, 公里每小时. */
const LONGEST_NAME = 6;

const HOW_MANY = /^how (?:many|much) (.+?) (?:(?:are|is|are there|is there|do) )?(?:in|make|makes|equal) (.+)$/;
const HOW_MANY_BEHIND = /^(.+?) (?:is|are|equals?|=) (?:how many|how much|what in|\? ?) ?(.+)$/;
const CHINESE =
  /^(?:把|将)?(.+?)(?:等于|换算成|换算为|换成|转换成|转换为|转成|转为|化成|相当于|合|有|是|=|(?=多少|几))(?:多少|几)?个?(.+)$/;

/** A conversion that a whole lower-case line asks for, in units of one dimension; null where it is none. Throws `MathError`. */
export function readConversion(text: string): MathAnswer | null {
  const bare = text.replace(/^(?:convert|change|turn) /, '').replace(/(?:是|等于)?(?:多少)$/, '');
  const question = HOW_MANY.exec(text) ?? null;
  if (question !== null) return conversion(text, readQuantity(question[2] ?? ''), findUnit(question[1] ?? ''));
  const behind = HOW_MANY_BEHIND.exec(bare);
  if (behind !== null) return conversion(text, readQuantity(behind[1] ?? ''), findUnit(behind[2] ?? ''));
  const chinese = CHINESE.exec(bare);
  const answer = chinese === null ? null : conversion(text, readQuantity(chinese[1] ?? ''), findUnit(chinese[2] ?? ''));
  return answer ?? readConnected(text, bare);
}

/** “5 ft 11 in cm”: the first connector with an amount before it and a unit behind it. */
function readConnected(source: string, text: string): MathAnswer | null {
  const tokens = tokenise(text);
  if (tokens === null) return null;
  for (const [at, token] of tokens.entries()) {
    if (at === 0 || !CONNECTORS.has(token.text)) continue;
    const unit = findUnit(text.slice(token.end));
    const answer = unit === null ? null : conversion(source, quantityOf(tokens.slice(0, at), text), unit);
    if (answer !== null) return answer;
  }
  return null;
}

function conversion(source: string, from: Quantity | null, to: Unit | null): MathAnswer | null {
  if (from === null || to === null || from.unit.dimension !== to.dimension || from.unit.symbol === to.symbol) return null;
  return { type: 'quantity', source, unit: to.symbol, ...printFraction(convert(from.value, from.unit, to)) };
}

/** An amount with its unit, or several of one dimension that add up; null where the whole text is none. */
function readQuantity(text: string): Quantity | null {
  const turned = text.replace(/^(摄氏|华氏)(.+?)度?$/, '$2$1度');
  const tokens = tokenise(turned);
  return tokens === null ? null : quantityOf(tokens, turned);
}

function quantityOf(tokens: readonly Token[], text: string): Quantity | null {
  const isNegative = isMinus(tokens[0]);
  let at = isNegative ? 1 : 0;
  let sum: Quantity | null = null;
  while (at < tokens.length) {
    if (sum !== null && (tokens[at]?.text === 'and' || tokens[at]?.text === ',')) at += 1;
    const number = readNumberPhrase(tokens, at);
    if (number === null) return null;
    const name: UnitName | null = readUnitName(tokens, number.at, text) ?? impliedInches(sum, tokens.length === number.at);
    if (name === null) return null;
    at = Math.max(name.at, number.at);
    const value: Fraction = name.isHalfMore ? number.value.add(HALF) : number.value;
    const next: Quantity | null = sum === null ? { value, unit: name.unit } : added(sum, value, name.unit);
    if (next === null) return null;
    sum = next;
  }
  return sum === null || !isNegative ? sum : { ...sum, value: sum.value.neg() };
}

/** Feet and inches, hours and minutes: each smaller than the one before; temperatures don't add up. */
function added(sum: Quantity, value: Fraction, unit: Unit): Quantity | null {
  if (unit.dimension !== sum.unit.dimension || unit.dimension === 'temperature' || unit.size.gte(sum.unit.size)) return null;
  return { value: sum.value.add(convert(value, unit, sum.unit)), unit: sum.unit };
}

interface UnitName {
  readonly unit: Unit;
  readonly at: number;
  /** 三斤半 is three and a half. */
  readonly isHalfMore: boolean;
}

/** The longest name of a unit at `at`. */
function readUnitName(tokens: readonly Token[], at: number, text: string): UnitName | null {
  const start = tokens[at]?.start;
  if (start === undefined) return null;
  for (let end = Math.min(tokens.length, at + LONGEST_NAME); end > at; end -= 1) {
    const unit = findUnit(text.slice(start, tokens[end - 1]?.end).replace(/^of /, ''));
    if (unit === null) continue;
    const isHalfMore = tokens[end]?.text === '半' && end + 1 === tokens.length;
    return { unit, at: isHalfMore ? end + 1 : end, isHalfMore };
  }
  return null;
}

/** “5 ft 11”: what follows feet and says nothing is inches. */
function impliedInches(sum: Quantity | null, isLast: boolean): UnitName | null {
  const inch = findUnit('in');
  return isLast && sum?.unit.symbol === 'ft' && inch !== null ? { unit: inch, at: 0, isHalfMore: false } : null;
}
