import Fraction from 'fraction.js';
import { readChineseNumber, type Numeral } from '../words/chinese-numbers';
import { multiplierOf, readEnglishNumber } from '../words/english-numbers';

/** A piece of a question. `start` and `end` are UTF-16 offsets, `spaced`: a space stands before it. */
export interface Token {
  readonly type: 'number' | 'word' | 'han' | 'symbol';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly spaced: boolean;
  /** Of a number. */
  readonly value?: Fraction;
}

/** Chinese words that must not be taken for the numeral they begin with. */
const NOT_NUMERALS = /百分之|百分比/y;
/** Arabic digits with a Chinese place behind them: 3万. */
const COUNTED = /\d+(?:\.\d+)?[十百千万亿]/y;
const GROUPED = /\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?/y;
const PLAIN = /\d+(?:\.\d+)?|\.\d+/y;
const EXPONENT = /e[+-]?\d{1,4}(?![\da-z.])/y;
const WORD = /log(?:10|2)(?!\d)|[a-zµμ]+/y;
/** A power of ten beyond has more bits than any result may have. */
const MAX_EXPONENT = 1_200;

/**
 * Cuts a lower-case line into numbers, words and signs, numbers in words and Chinese numerals among the numbers. Null where something looks like a
 * number and is none: a version (2.1.3), an address, a hexadecimal number. One pass; the time grows with the length.
 */
export function tokenise(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const spaced = text.charAt(at) === ' ';
    if (spaced) at += 1;
    const token = readToken(text, at, spaced);
    if (token === null) return null;
    tokens.push(token);
    at = token.end;
  }
  return mergeNumbers(tokens);
}

function readToken(text: string, at: number, spaced: boolean): Token | null {
  const piece = (type: Token['type'], length: number): Token => ({
    type,
    text: text.slice(at, at + length),
    start: at,
    end: at + length,
    spaced,
  });
  const character = text.charAt(at);
  const isHan = /[\p{Script=Han}]/u.test(character);
  if (isHan && matchAt(NOT_NUMERALS, text, at) !== null) return piece('han', 3);
  const chinese = isHan || matchAt(COUNTED, text, at) !== null ? readNumeral(text, at) : null;
  if (chinese !== null) return { ...piece('number', chinese.end - at), value: chinese.value };
  if (/[\d.]/.test(character)) {
    const number = readNumber(text, at);
    if (number === 'none') return character === '.' ? piece('symbol', 1) : null;
    return number === null ? null : { ...piece('number', number.length), value: number.value };
  }
  if (isHan) return piece('han', 1);
  const word = matchAt(WORD, text, at);
  if (word !== null) return piece('word', word.length);
  return piece('symbol', text.startsWith('**', at) ? 2 : (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** A Chinese numeral, without a last 千 that belongs to the unit behind it: 三千米 is three 千米. */
function readNumeral(text: string, at: number): Numeral | null {
  const numeral = readChineseNumber(text, at);
  const isOfUnit = numeral !== null && text.charAt(numeral.end - 1) === '千' && /[米克]/.test(text.charAt(numeral.end));
  return isOfUnit ? readChineseNumber(text.slice(0, numeral.end - 1), at) : numeral;
}

/** Digits, with groups, decimals and a power of ten. Null: a number that is no value. */
function readNumber(text: string, at: number): { readonly value: Fraction; readonly length: number } | null | 'none' {
  const digits = matchAt(GROUPED, text, at) ?? matchAt(PLAIN, text, at);
  if (digits === null) return 'none';
  const end = at + digits.length;
  if (/^\.\d/.test(text.slice(end, end + 2)) || (digits === '0' && /^x[\da-f]/.test(text.slice(end, end + 2)))) return null;
  const plain = digits.replaceAll(',', '');
  const exponent = matchAt(EXPONENT, text, end);
  const power = exponent === null ? 0 : Number(exponent.slice(1));
  if (Math.abs(power) > MAX_EXPONENT) return null;
  const ten = new Fraction(10n).pow(power) ?? new Fraction(1n);
  return { value: decimal(plain).mul(ten), length: digits.length + (exponent?.length ?? 0) };
}

function decimal(digits: string): Fraction {
  const [whole = '', decimals = ''] = digits.split('.');
  return new Fraction(BigInt(`${whole}${decimals}`), 10n ** BigInt(decimals.length));
}

/** Puts the words of a number together, and a number with the word that multiplies it: “3 million”. */
function mergeNumbers(tokens: readonly Token[]): readonly Token[] {
  const words = tokens.map(({ type, text, spaced }) => (type === 'word' || (text === '-' && !spaced) ? text : ''));
  const merged: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token === undefined) break;
    const spelled = token.type === 'word' ? readEnglishNumber(words, at) : null;
    const count = spelled?.count ?? 1;
    const value = spelled === null ? token.value : new Fraction(spelled.digits, 10n ** BigInt(spelled.places));
    const last = tokens[at + count - 1] ?? token;
    const first = at;
    at += count;
    if (value === undefined) merged.push(token);
    else {
      const counted = withMultipliers(value, words, at);
      const text = tokens.slice(first, counted.at).map((piece) => piece.text);
      merged.push({ ...token, type: 'number', text: text.join(' '), value: counted.value, end: tokens[counted.at - 1]?.end ?? last.end });
      at = counted.at;
    }
  }
  return merged;
}

function withMultipliers(value: Fraction, words: readonly string[], from: number): { readonly value: Fraction; readonly at: number } {
  const factor = multiplierOf(words[from] ?? '');
  if (factor !== null) return { value: value.mul(factor), at: from + 1 };
  const isHalf = words[from] === 'and' && words[from + 1] === 'a' && words[from + 2] === 'half';
  return isHalf ? { value: value.add(new Fraction(1n, 2n)), at: from + 3 } : { value, at: from };
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
