import Fraction from 'fraction.js';
import { MathError } from './answer';
import { bitsOf, sizeOf, type Budget } from './budget';

export type RationalOperator = '+' | '-' | '*' | '/' | 'mod';

/** So many bits an integer power may have. */
const MAX_POWER_BITS = 4_000;
const MAX_FACTORIAL = 1_000n;
/** What a factorial costs at most: about a thousand short multiplications. */
const FACTORIAL_WORK = 2_000_000;

/** Exact arithmetic; `mod` is floored. Throws `division_by_zero`, and `out_of_range` before anything that costs too much. */
export function combine(operator: RationalOperator, left: Fraction, right: Fraction, budget: Budget): Fraction {
  const a = sizeOf(left);
  const b = sizeOf(right);
  if ((operator === '/' || operator === 'mod') && right.n === 0n) throw new MathError('division_by_zero');
  switch (operator) {
    case '*':
      budget.spendFraction(a.n + b.n, a.d + b.d);
      return left.mul(right);
    case '/':
      budget.spendFraction(a.n + b.d, a.d + b.n);
      return left.div(right);
    case '+':
    case '-':
      budget.spendFraction(Math.max(a.n + b.d, b.n + a.d), a.d + b.d);
      return operator === '+' ? left.add(right) : left.sub(right);
    case 'mod':
      // The quotient's cost, and the difference's, of about the same size.
      budget.spendFraction(a.n + b.d, a.d + b.n);
      budget.spendFraction(a.n + b.n + b.d, a.d + b.d);
      return left.sub(right.mul(left.div(right).floor()));
  }
}

/**
 * `base` to an integer power; 0^0 is 1. Throws `division_by_zero` for a negative power of zero, `out_of_range` where the result has over 4,000 bits.
 */
export function integerPower(base: Fraction, exponent: bigint, budget: Budget): Fraction {
  const one = new Fraction(1n);
  if (exponent === 0n) return one;
  if (base.n === 0n) {
    if (exponent < 0n) throw new MathError('division_by_zero');
    return base;
  }
  const isOdd = exponent % 2n !== 0n;
  if (base.n === 1n && base.d === 1n) return isOdd ? base : one;
  const size = exponent < 0n ? -exponent : exponent;
  // At least this long, so anything above is refused unseen.
  const length = BigInt(Math.max(exactBits(base.n), exactBits(base.d)) - 1);
  if (length * size >= BigInt(MAX_POWER_BITS)) throw new MathError('out_of_range');
  budget.spend(2 * MAX_POWER_BITS);
  const [n, d] = [base.n ** size, base.d ** size];
  if (Math.max(exactBits(n), exactBits(d)) > MAX_POWER_BITS) throw new MathError('out_of_range');
  budget.spendFraction(bitsOf(n), bitsOf(d));
  const sign = base.s < 0n && isOdd ? -1n : 1n;
  return exponent < 0n ? new Fraction(sign * d, n) : new Fraction(sign * n, d);
}

/** The root of a fraction where it is rational; null where it is not. `degree` is at least 2, `value` not negative. */
export function exactRoot(value: Fraction, degree: number, budget: Budget): Fraction | null {
  const n = integerRoot(value.n, degree, budget);
  const d = n === null ? null : integerRoot(value.d, degree, budget);
  return n === null || d === null ? null : new Fraction(n, d);
}

/** Throws `domain` for anything but a whole number from 0, `out_of_range` above 1,000. */
export function factorial(value: Fraction, budget: Budget): Fraction {
  if (value.d !== 1n || value.s * value.n < 0n) throw new MathError('domain');
  if (value.n > MAX_FACTORIAL) throw new MathError('out_of_range');
  budget.spend((FACTORIAL_WORK * Number(value.n)) / Number(MAX_FACTORIAL));
  let product = 1n;
  for (let factor = 2n; factor <= value.n; factor += 1n) product *= factor;
  return new Fraction(product);
}

/** The power of `base` that an exact positive value is, for logarithms that come out whole; null where it is none. */
export function exactLogarithm(value: Fraction, base: bigint): Fraction | null {
  const [whole, sign] = value.d === 1n ? [value.n, 1n] : [value.d, -1n];
  if (value.d !== 1n && value.n !== 1n) return null;
  let power = 0n;
  let rest = whole;
  while (rest > 1n && rest % base === 0n) {
    rest /= base;
    power += 1n;
  }
  return rest === 1n ? new Fraction(sign * power) : null;
}

/** By Newton's steps from above; they go down until they have it. */
function integerRoot(value: bigint, degree: number, budget: Budget): bigint | null {
  if (value < 2n) return value;
  const bits = exactBits(value);
  if (degree > bits) return null;
  const k = BigInt(degree);
  let guess = 1n << BigInt(Math.ceil(bits / degree));
  for (;;) {
    budget.spend(bits * 40);
    const next = ((k - 1n) * guess + value / guess ** (k - 1n)) / k;
    if (next >= guess) break;
    guess = next;
  }
  return guess ** k === value ? guess : null;
}

function exactBits(value: bigint): number {
  return value.toString(2).length;
}
