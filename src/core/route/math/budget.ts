import type Fraction from 'fraction.js';
import { MathError } from './answer';

/**
 * All the work one utterance may ask for, in multiplied bits (what a greatest common divisor of two large integers costs): about 5 ms on a phone.
 * Counted, not timed, so that the same question has the same answer everywhere.
 */
const MAX_WORK = 24_000_000;
/** No number may become longer than this; 1000! has 8,530 bits. */
const MAX_BITS = 10_000;

/** What a step of the divisor's algorithm costs even where the numbers are short, as bits of length. */
const STEP_BITS = 512;

/** Counts work and says when it is too much. One a question. */
export class Budget {
  #spent = 0;

  /** Multiplied bits so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Throws `out_of_range` where the whole would be more than one question may cost. */
  spend(work: number): void {
    this.#spent += work;
    if (this.#spent > MAX_WORK) throw new MathError('out_of_range');
  }

  /** Announces a fraction of so many bits. Throws `out_of_range` where a part of it would be too long, or the work too much. */
  spendFraction(numeratorBits: number, denominatorBits: number): void {
    if (numeratorBits > MAX_BITS || denominatorBits > MAX_BITS) throw new MathError('out_of_range');
    const [shorter, longer] = numeratorBits < denominatorBits ? [numeratorBits, denominatorBits] : [denominatorBits, numeratorBits];
    this.spend(shorter * (longer + STEP_BITS));
  }
}

/** Length of a positive integer in bits, at most three too many. */
export function bitsOf(value: bigint): number {
  return value.toString(16).length * 4;
}

/** Bits of both parts of a fraction. */
export function sizeOf(value: Fraction): { readonly n: number; readonly d: number } {
  return { n: bitsOf(value.n), d: bitsOf(value.d) };
}
