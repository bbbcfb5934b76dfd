import Fraction from 'fraction.js';
import type { MathToken } from './expression';
import { FUNCTION_NAMES, type FunctionName } from './functions';

const half = new Fraction(1n, 2n);
const operator = (sign: '+' | '-' | '*' | '/' | 'mod' | '^'): MathToken => ({ type: 'operator', operator: sign });
const call = (name: FunctionName): MathToken => ({ type: 'function', name });
const share = (value: Fraction): MathToken => ({ type: 'share', value });

/** What English words mean in an expression; null for words that mean nothing there. */
const PHRASES = new Map<string, MathToken | null>([
  ['plus', operator('+')],
  ['minus', operator('-')],
  ['times', operator('*')],
  ['multiplied by', operator('*')],
  ['x', operator('*')],
  ['divided by', operator('/')],
  ['over', operator('/')],
  ['mod', operator('mod')],
  ['modulo', operator('mod')],
  ['to the power of', operator('^')],
  ['to the power', operator('^')],
  ['raised to the power of', operator('^')],
  ['raised to', operator('^')],
  ['squared', { type: 'power', exponent: 2n }],
  ['cubed', { type: 'power', exponent: 3n }],
  ['factorial', { type: '!' }],
  ['percent', { type: '%' }],
  ['per cent', { type: '%' }],
  ['degrees', { type: '°' }],
  ['degree', { type: '°' }],
  ['deg', { type: '°' }],
  ['radians', null],
  ['rad', null],
  ['the', null],
  ['negative', { type: 'negative' }],
  ['of', { type: 'of' }],
  ['half of', share(half)],
  ['a half of', share(half)],
  ['one half of', share(half)],
  ['a third of', share(new Fraction(1n, 3n))],
  ['third of', share(new Fraction(1n, 3n))],
  ['a quarter of', share(new Fraction(1n, 4n))],
  ['quarter of', share(new Fraction(1n, 4n))],
  ['square root', call('sqrt')],
  ['square root of', call('sqrt')],
  ['cube root', call('cbrt')],
  ['cube root of', call('cbrt')],
  ['root of', call('sqrt')],
  ['absolute value of', call('abs')],
  ['natural log of', call('ln')],
  ['natural logarithm of', call('ln')],
  ['sine', call('sin')],
  ['cosine', call('cos')],
  ['tangent', call('tan')],
  ['sine of', call('sin')],
  ['cosine of', call('cos')],
  ['tangent of', call('tan')],
  ['ceiling', call('ceil')],
  ['log10', call('log')],
  ...FUNCTION_NAMES.flatMap((name) => [[name, call(name)] as const, [`${name} of`, call(name)] as const]),
  ['pi', { type: 'constant', name: 'pi' }],
  ['e', { type: 'constant', name: 'e' }],
  ['tau', { type: 'constant', name: 'tau' }],
]);
/** “Two thirds of”: what the number before is multiplied by. */
const PARTS = new Map<string, bigint>([
  ['halves', 2n],
  ['third', 3n],
  ['thirds', 3n],
  ['quarter', 4n],
  ['quarters', 4n],
  ['fourths', 4n],
  ['fifth', 5n],
  ['fifths', 5n],
  ['tenth', 10n],
  ['tenths', 10n],
]);
const LONGEST = 5;

/** The longest phrase at `from`, its meaning, and how many words it has; null where the word is unknown. */
export function readEnglishPhrase(
  words: readonly string[],
  from: number,
): { readonly token: MathToken | null; readonly count: number } | null {
  for (let count = LONGEST; count > 0; count -= 1) {
    const token = PHRASES.get(words.slice(from, from + count).join(' '));
    if (token !== undefined && from + count <= words.length) return { token, count };
  }
  return null;
}

/** The fraction that “N thirds of” means, for a number before these words; null where they are none. */
export function readEnglishParts(words: readonly string[], from: number): bigint | null {
  return words[from + 1] === 'of' ? (PARTS.get(words[from] ?? '') ?? null) : null;
}
