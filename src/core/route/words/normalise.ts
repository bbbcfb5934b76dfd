import { hasHan, plainCharacters } from './characters';

export type RouteLanguage = 'en' | 'zh';

/** An utterance without what doesn't change its meaning. */
export interface Utterance {
  /** One line, plain characters, letters in their own case. */
  readonly text: string;
  readonly language: RouteLanguage;
  /** It ended with `=`: something was to be worked out. */
  readonly isEquation: boolean;
}

/** So many layers of politeness are taken off, no more: nobody means more, and the time stays bounded. */
const MAX_FRAMES = 6;

const ENGLISH_FRAMES: readonly RegExp[] = [
  /^(?:(?:hey|hi|hello|ok|okay),? )?munin(?:[,!:.]| |$)/i,
  /^(?:um+|uh+|so|now|well|please|quick(?: question)?|quickly|kindly)(?:[,:]| )/i,
  /^(?:can|could|would|will) you(?: please)? /i,
  /^i(?:'d| would) like (?:you )?to /i,
  /^i (?:want|need)(?: you)? to /i,
  /^(?:let's|let us|help me)(?: to)? /i,
];
const ENGLISH_TAILS: readonly RegExp[] = [/,? (?:please|thanks|thank you|for me|right now|munin)$/i];
const TAIL_NOW = / now$/i;
/** Here `now` is a moment, not impatience. */
const MOMENT_NOW = /(?:^| )(?:from|until|till|since|before|after|and|to) now$/i;

const CHINESE_FRAMES: readonly RegExp[] = [
  /^(?:嗨|你好|嘿)?[,， ]*munin[,，!:： ]*/i,
  /^(?:请问|请|麻烦|劳驾|帮忙|帮我|给我|替我)(?:你|您)?[, ]*/,
  /^(?:你|您)?(?:能不能|可不可以|能|可以)(?=[^做会干])/,
];
const CHINESE_TAILS: readonly RegExp[] = [/[, ]?(?:谢谢(?:你|您)?|好吗|行吗|可以吗|吧|啊|呀|呢|吗)$/];
/** “What can you do?” asks who is there: without its beginning it would ask nothing. */
const IDENTITY = /^(?:munin[, ]*)?(?:你|您)(?:能|会|可以)(?:做|干)(?:些)?什么/i;

/**
 * Makes what people write comparable: characters, punctuation at the end, wake words, fillers, request frames and thanks. Pure; the time grows with
 * the length. An empty text stays empty.
 */
export function normalise(text: string): Utterance {
  const plain = withoutEnd(plainCharacters(text));
  const language: RouteLanguage = hasHan(plain) ? 'zh' : 'en';
  const isEquation = plain.endsWith('=');
  const body = isEquation ? withoutEnd(plain.slice(0, -1)) : plain;
  if (language === 'zh') return { text: IDENTITY.test(body) ? body : withoutChineseFrames(body), language, isEquation };
  return { text: withoutEnglishFrames(body), language, isEquation };
}

/** Without punctuation that only ends it. `5!` and `(2+1)!` keep their sign. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0) {
    const last = text.charAt(end - 1);
    const isFactorial = last === '!' && /[\d)]/.test(text.charAt(end - 2));
    if (isFactorial || !'.?。…! '.includes(last)) break;
    end -= 1;
  }
  return text.slice(0, end);
}

function withoutEnglishFrames(text: string): string {
  const body = withoutMatches(text, ENGLISH_FRAMES);
  const tailless = withoutMatches(body, ENGLISH_TAILS);
  const result = TAIL_NOW.test(tailless) && !MOMENT_NOW.test(tailless) ? tailless.replace(TAIL_NOW, '') : tailless;
  return result === '' ? text : withoutEnd(result);
}

function withoutChineseFrames(text: string): string {
  const result = withoutMatches(withoutMatches(text, CHINESE_FRAMES), CHINESE_TAILS);
  return result === '' ? text : withoutEnd(result);
}

/** Takes matches off while there are any. Every pattern is anchored. */
function withoutMatches(text: string, patterns: readonly RegExp[]): string {
  let rest = text;
  for (let round = 0; round < MAX_FRAMES; round += 1) {
    const before = rest;
    for (const pattern of patterns) rest = rest.replace(pattern, '').trim();
    if (rest === before) break;
  }
  return rest;
}
