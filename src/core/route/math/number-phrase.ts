import Fraction from 'fraction.js';
import type { Token } from './tokens';

/** A number and the place of the piece behind it. */
export interface NumberPhrase {
  readonly value: Fraction;
  readonly at: number;
}

/** One half. */
export const HALF = new Fraction(1n, 2n);

/** Whether a piece makes the number behind it negative. */
export function isMinus(token: Token | undefined): boolean {
  return token !== undefined && ['-', 'minus', 'negative', '负'].includes(token.text);
}

/** The number before a unit: “3/4”, “2 1/2”, “an”, “half a”, 半, 一个半, or any plain number. Null where none begins at `at`; a sign is not part of it. */
export function readNumberPhrase(tokens: readonly Token[], at: number): NumberPhrase | null {
  const [first, second] = [tokens[at], tokens[at + 1]?.text];
  const words = `${first?.text ?? ''} ${second ?? ''}`;
  if (words === 'half a' || words === 'half an' || words === 'a half') return { value: HALF, at: at + 2 };
  if (first?.text === '半') return { value: HALF, at: second === '个' ? at + 2 : at + 1 };
  if (first?.text === 'a' || first?.text === 'an') return { value: new Fraction(1n), at: at + 1 };
  const counted = mixedNumber(tokens, at);
  // 一个半小时, 三个星期: the word that counts things says nothing here.
  if (counted === null || tokens[counted.at]?.text !== '个') return counted;
  return tokens[counted.at + 1]?.text === '半'
    ? { value: counted.value.add(HALF), at: counted.at + 2 }
    : { value: counted.value, at: counted.at + 1 };
}

function mixedNumber(tokens: readonly Token[], at: number): NumberPhrase | null {
  const whole = fractionAt(tokens, at);
  if (whole === null || whole.isFraction) return whole;
  const part = fractionAt(tokens, whole.at);
  const isMixed = part?.isFraction === true && part.value.lt(1n) && tokens[whole.at]?.spaced === true;
  return isMixed ? { value: whole.value.add(part.value), at: part.at } : whole;
}

function fractionAt(tokens: readonly Token[], at: number): (NumberPhrase & { readonly isFraction: boolean }) | null {
  const value = tokens[at]?.value;
  const denominator = tokens[at + 2]?.value;
  if (value === undefined) return null;
  if (tokens[at + 1]?.text !== '/' || denominator === undefined || denominator.n === 0n) return { value, at: at + 1, isFraction: false };
  return { value: value.div(denominator), at: at + 3, isFraction: true };
}
