import type { Texts } from './texts';

// Longest growth that translations of short English labels commonly need.
const GROWTH = 0.4;
const ACCENTS = new Map(
  [...'aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPrRsStTuUvVwWyYzZ'].map((letter, index) => [
    letter,
    [...'áÅƀßçÇđĐéÉƒƑǧǦħĦíÍĵĴķĶłŁmMñÑöÖƥƤřŘšŠťŤúÚvVŵŴýÝžŽ'][index] ?? letter,
  ]),
);

/** English made strange: accented, bracketed and 40 % longer, in every text that the interface can show. */
export function pseudoTexts(texts: Texts): Texts {
  return disguise(texts);
}

function disguise<T>(value: T): T {
  const changed = disguiseUnknown(value);
  return isLike(changed, value) ? changed : value;
}

function disguiseUnknown(value: unknown, key = ''): unknown {
  // A language tag is read by machines.
  if (key === 'tag') return value;
  if (typeof value === 'string') return lengthen(value);
  if (typeof value === 'function') return (...args: unknown[]): unknown => disguiseUnknown(Reflect.apply(value, undefined, args));
  if (value instanceof Promise) return value.then((loaded: unknown) => disguiseUnknown(loaded));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, disguiseUnknown(entry, name)]));
  }
  return value;
}

function lengthen(text: string): string {
  if (text === '') return text;
  const accented = [...text].map((letter) => ACCENTS.get(letter) ?? letter).join('');
  return `[${accented}${'·'.repeat(Math.max(1, Math.ceil(text.length * GROWTH) - 2))}]`;
}

/** The same kind of value: the walk above keeps every shape. */
function isLike<T>(value: unknown, like: T): value is T {
  return typeof value === typeof like;
}
