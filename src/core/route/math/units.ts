import Fraction from 'fraction.js';
import { MathError } from './answer';
import { TEMPERATURE_ROWS, UNIT_ROWS, type Dimension } from './unit-table';

/** A unit with an exact size. `base = (value + zero) * size`; only temperatures have a zero of their own. */
export interface Unit {
  /** As it is printed. */
  readonly symbol: string;
  readonly dimension: Dimension;
  readonly size: Fraction;
  readonly zero: Fraction;
}

const NONE = new Fraction(0n);
const UNITS: readonly (readonly [names: string, unit: Unit])[] = [
  ...(['length', 'mass', 'volume', 'time', 'data', 'speed', 'area'] as const).flatMap((dimension) =>
    UNIT_ROWS[dimension].map(([symbol, size, names]) => [names, { symbol, dimension, size: new Fraction(size), zero: NONE }] as const),
  ),
  ...TEMPERATURE_ROWS.map(
    ([symbol, size, zero, names]) =>
      [names, { symbol, dimension: 'temperature', size: new Fraction(size), zero: new Fraction(zero) }] as const,
  ),
];
const BY_NAME = new Map<string, Unit>(UNITS.flatMap(([names, unit]) => names.split('|').map((name) => [name, unit] as const)));

/** The only names whose case tells units apart: a small b is a bit. */
const CASED = new Map<string, string>([
  ['Mb', 'mbit'],
  ['Gb', 'gbit'],
]);

/** The unit of this name or symbol, in either language and any case (but Mb and Gb are bits); null where it is none we know. Currencies are none. */
export function findUnit(name: string): Unit | null {
  const plain = (CASED.get(name.trim()) ?? name)
    .trim()
    .toLowerCase()
    .replaceAll('µ', 'μ')
    .replaceAll('²', '^2')
    .replaceAll('³', '^3')
    .replaceAll('^ ', '^')
    .replaceAll(' ^', '^');
  return BY_NAME.get(plain) ?? null;
}

/** Symbols of all units of a dimension, in the order of the table. */
export function symbolsOf(dimension: Dimension): readonly string[] {
  return UNITS.filter(([, unit]) => unit.dimension === dimension).map(([, unit]) => unit.symbol);
}

/** An exact conversion. Both units are of one dimension. Throws `domain` below absolute zero. */
export function convert(value: Fraction, from: Unit, to: Unit): Fraction {
  const base = value.add(from.zero).mul(from.size);
  if (from.dimension === 'temperature' && base.s * base.n < 0n) throw new MathError('domain');
  return base.div(to.size).sub(to.zero);
}
