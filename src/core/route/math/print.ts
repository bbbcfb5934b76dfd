import { Decimal } from 'decimal.js';
import type Fraction from 'fraction.js';
import type { Printed } from './answer';

/** A decimal that ends within so many places is printed whole. */
const MAX_PLACES = 15;
/** Significant digits of everything else. */
const ROUNDED_DIGITS = 12;

const Rounded = Decimal.clone({ precision: ROUNDED_DIGITS, rounding: Decimal.ROUND_HALF_UP, toExpPos: 21, toExpNeg: -7 });

/** Prints exactly what ends within 15 decimal places, anything else with 12 significant digits. */
export function printFraction(value: Fraction): Printed {
  const scaled = value.n * 10n ** BigInt(MAX_PLACES);
  const sign = value.s < 0n ? '-' : '';
  if (scaled % value.d !== 0n)
    return { value: `${sign}${new Rounded(value.n.toString()).div(value.d.toString()).toString()}`, approximate: true };
  const digits = (scaled / value.d).toString().padStart(MAX_PLACES + 1, '0');
  const whole = digits.slice(0, -MAX_PLACES);
  let end = MAX_PLACES;
  const decimals = digits.slice(-MAX_PLACES);
  while (end > 0 && decimals.charAt(end - 1) === '0') end -= 1;
  const isZero = value.n === 0n;
  return { value: `${isZero ? '' : sign}${whole}${end === 0 ? '' : `.${decimals.slice(0, end)}`}`, approximate: false };
}

/** Prints an irrational value with 12 significant digits. */
export function printDecimal(value: Decimal): Printed {
  return { value: new Rounded(0).add(value).toString(), approximate: true };
}
