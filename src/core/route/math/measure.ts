import type Fraction from 'fraction.js';
import { plainCharacters } from '../words/characters';
import { MathError, type Printed } from './answer';
import { isMinus, readNumberPhrase } from './number-phrase';
import { printFraction } from './print';
import { tokenise } from './tokens';
import { convert, type Unit } from './units';

const LONGEST_MEASURE = 200;

/**
 * An amount in another unit of the same dimension: “3/4”, “2 1/2”, “-40”, “three and a half”, 一百二. Null where the text is no number; `domain` below
 * absolute zero.
 */
export function convertMeasure(text: string, from: Unit, to: Unit): Printed | 'domain' | null {
  const value = readMeasure(text);
  if (value === null) return null;
  try {
    return printFraction(convert(value, from, to));
  } catch (error) {
    if (error instanceof MathError && error.code === 'domain') return 'domain';
    throw error;
  }
}

function readMeasure(text: string): Fraction | null {
  const line = plainCharacters(text).toLowerCase();
  const tokens = line.length > LONGEST_MEASURE ? null : tokenise(line);
  if (tokens === null) return null;
  const isNegative = isMinus(tokens[0]);
  const phrase = readNumberPhrase(tokens, isNegative ? 1 : 0);
  if (phrase === null || phrase.at !== tokens.length) return null;
  return isNegative ? phrase.value.neg() : phrase.value;
}
