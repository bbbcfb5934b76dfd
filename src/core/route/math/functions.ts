import { Decimal } from 'decimal.js';
import Fraction from 'fraction.js';
import { MathError } from './answer';
import type { Budget } from './budget';
import { exactLogarithm, exactRoot, integerPower } from './rational';

/** Names as the grammar knows them; `log` is to the base of ten. */
export const FUNCTION_NAMES = ['sqrt', 'cbrt', 'abs', 'round', 'floor', 'ceil', 'exp', 'ln', 'log', 'log2', 'sin', 'cos', 'tan'] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];
export type ConstantName = 'pi' | 'e' | 'tau';

/** An exact value, or an irrational one in many more digits than are printed. */
export type Value = Fraction | Decimal;

/** Digits that irrational values are computed with: three times what is printed, so that rounding errors stay out of sight. */
export const Precise = Decimal.clone({ precision: 36, toExpPos: 21, toExpNeg: -7 });
/** Below this a result of a difference of roundings is zero: sin(pi). */
const NOTHING = new Precise('1e-28');
/** Angles beyond are more turns than digits. */
const MAX_ANGLE = new Precise('1e15');
/** e to this has the bits a power may have. */
const MAX_EXPONENT = new Precise(2772);
/** One irrational function costs about 0.4 ms. */
const FUNCTION_WORK = 2_000_000;
const ROOT_WORK = 200_000;
const PI = Precise.acos(-1);

/** The value of a constant. */
export function constant(name: ConstantName): Decimal {
  if (name === 'e') return Precise.exp(1);
  return name === 'pi' ? PI : PI.mul(2);
}

/** In many digits, whatever it was. */
export function toDecimal(value: Value): Decimal {
  if (value instanceof Decimal) return value;
  return new Precise((value.s * value.n).toString()).div(value.d.toString());
}

/**
 * A function's value, exact wherever it is rational and that can be told. `isDegrees`: angles are degrees, not radians. Throws `domain`,
 * `out_of_range`.
 */
export function applyFunction(name: FunctionName, value: Value, isDegrees: boolean, budget: Budget): Value {
  if (name === 'abs') return value.abs();
  if (name === 'floor' || name === 'ceil' || name === 'round') return rounded(name, value);
  if (value instanceof Fraction) {
    const exact = exactValue(name, value, isDegrees, budget);
    if (exact !== null) return exact;
  }
  budget.spend(name === 'sqrt' || name === 'cbrt' ? ROOT_WORK : FUNCTION_WORK);
  return irrational(name, toDecimal(value), isDegrees);
}

/** `base` to a power that is not whole, or not exact. Throws `domain`, `division_by_zero`, `out_of_range`. */
export function realPower(base: Value, exponent: Value, budget: Budget): Value {
  if (isZero(base)) {
    if (toDecimal(exponent).isNegative()) throw new MathError('division_by_zero');
    return isZero(exponent) ? new Fraction(1n) : new Fraction(0n);
  }
  const isNegative = toDecimal(base).isNegative();
  if (isNegative && !toDecimal(exponent).isInteger()) throw new MathError('domain');
  if (base instanceof Fraction && exponent instanceof Fraction && exponent.d <= 64n && exponent.n <= 64n) {
    const root = exactRoot(base, Number(exponent.d), budget);
    if (root !== null) return integerPower(root, exponent.s * exponent.n, budget);
  }
  budget.spend(2 * FUNCTION_WORK);
  const size = Precise.ln(toDecimal(base).abs()).mul(toDecimal(exponent));
  if (size.abs().gt(MAX_EXPONENT)) throw new MathError('out_of_range');
  return toDecimal(base).pow(toDecimal(exponent));
}

/** Whether a value is nothing. */
export function isZero(value: Value): boolean {
  return value instanceof Decimal ? value.isZero() : value.n === 0n;
}

/** A half goes away from zero, as people round. */
function rounded(name: 'floor' | 'ceil' | 'round', value: Value): Value {
  if (value instanceof Decimal)
    return new Fraction(BigInt((name === 'round' ? value.abs().add(0.5).floor().mul(signOf(value)) : value[name]()).toFixed()));
  if (name !== 'round') return value[name]();
  return value
    .abs()
    .add(new Fraction(1n, 2n))
    .floor()
    .mul(value.s < 0n ? -1n : 1n);
}

const signOf = (value: Decimal): number => (value.isNegative() ? -1 : 1);

function exactValue(name: FunctionName, value: Fraction, isDegrees: boolean, budget: Budget): Fraction | null {
  const isNegative = value.s < 0n && value.n !== 0n;
  switch (name) {
    case 'sqrt':
      if (isNegative) throw new MathError('domain');
      return exactRoot(value, 2, budget);
    case 'cbrt': {
      const root = exactRoot(value.abs(), 3, budget);
      return root === null ? null : isNegative ? root.neg() : root;
    }
    case 'log':
    case 'log2':
    case 'ln':
      if (isNegative || value.n === 0n) throw new MathError('domain');
      if (value.n === 1n && value.d === 1n) return new Fraction(0n);
      return name === 'ln' ? null : exactLogarithm(value, name === 'log' ? 10n : 2n);
    case 'exp':
      return value.n === 0n ? new Fraction(1n) : null;
    case 'sin':
      return isDegrees ? exactSine(value) : value.n === 0n ? value : null;
    case 'cos':
      return isDegrees ? exactSine(value.add(90n)) : value.n === 0n ? new Fraction(1n) : null;
    case 'tan':
      return isDegrees ? exactTangent(value) : value.n === 0n ? value : null;
    default:
      return null;
  }
}

/** Sines that are rational: every 30 degrees but those of 60 and 120. */
function exactSine(degrees: Fraction): Fraction | null {
  if (degrees.d !== 1n) return null;
  const turn = (((degrees.s * degrees.n) % 360n) + 360n) % 360n;
  if (turn % 180n === 0n) return new Fraction(0n);
  const sign = turn > 180n ? -1n : 1n;
  const half = turn % 180n;
  if (half === 90n) return new Fraction(sign);
  return half === 30n || half === 150n ? new Fraction(sign, 2n) : null;
}

function exactTangent(degrees: Fraction): Fraction | null {
  if (degrees.d !== 1n) return null;
  const turn = (((degrees.s * degrees.n) % 180n) + 180n) % 180n;
  if (turn === 90n) throw new MathError('domain');
  if (turn === 0n) return new Fraction(0n);
  return turn === 45n ? new Fraction(1n) : turn === 135n ? new Fraction(-1n) : null;
}

function irrational(name: FunctionName, value: Decimal, isDegrees: boolean): Decimal {
  switch (name) {
    case 'sqrt':
    case 'ln':
    case 'log':
    case 'log2':
      if (value.isNegative() || (name !== 'sqrt' && value.isZero())) throw new MathError('domain');
      return name === 'sqrt' ? value.sqrt() : name === 'ln' ? value.ln() : value.log(name === 'log' ? 10 : 2);
    case 'cbrt':
      return value.cbrt();
    case 'exp':
      if (value.abs().gt(MAX_EXPONENT)) throw new MathError('out_of_range');
      return value.exp();
    default:
      return trigonometric(name, value, isDegrees);
  }
}

function trigonometric(name: FunctionName, value: Decimal, isDegrees: boolean): Decimal {
  if (value.abs().gt(MAX_ANGLE)) throw new MathError('out_of_range');
  const angle = isDegrees ? value.mul(PI).div(180) : value;
  const sine = snapped(angle.sin());
  if (name === 'sin') return sine;
  const cosine = snapped(angle.cos());
  if (name === 'cos') return cosine;
  if (cosine.isZero()) throw new MathError('domain');
  return sine.div(cosine);
}

const snapped = (value: Decimal): Decimal => (value.abs().lt(NOTHING) ? new Precise(0) : value);
