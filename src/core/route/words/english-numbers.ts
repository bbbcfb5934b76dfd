const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';

const UNITS = new Map<string, bigint>([
  ...SMALL.split(' ').map((word, value) => [word, BigInt(value)] as const),
  ...TENS.split(' ').map((word, at) => [word, BigInt(at + 2) * 10n] as const),
]);
const SCALES = new Map<string, bigint>([
  ['thousand', 10n ** 3n],
  ['million', 10n ** 6n],
  ['billion', 10n ** 9n],
  ['trillion', 10n ** 12n],
]);
/** What may multiply a number that is written before it: “3 million”, “two dozen”. */
const MULTIPLIERS = new Map<string, bigint>([...SCALES, ['hundred', 100n], ['dozen', 12n]]);

/** A number in words: `digits` with `places` of them after the point, from so many words. */
export interface WordNumber {
  readonly digits: bigint;
  readonly places: number;
  readonly count: number;
}

/** The factor that a word after a number stands for, `million` for example. */
export function multiplierOf(word: string): bigint | null {
  return MULTIPLIERS.get(word) ?? null;
}

/**
 * The longest number in words at `from`: “two hundred and five”, “twenty-five” (the hyphen a word of its own), “three point one four”, “a dozen”.
 * Null where none begins. Up to trillions; words that don't make one number (“one two”) end it.
 */
export function readEnglishNumber(words: readonly string[], from: number): WordNumber | null {
  const whole = readWhole(words, from);
  if (whole === null) return null;
  let at = from + whole.count;
  if (words[at] !== 'point') return { digits: whole.value, places: 0, count: whole.count };
  let digits = whole.value;
  let places = 0;
  for (at += 1; (UNITS.get(words[at] ?? '') ?? 10n) < 10n; at += 1, places += 1) digits = digits * 10n + (UNITS.get(words[at] ?? '') ?? 0n);
  return places === 0 ? { digits: whole.value, places: 0, count: whole.count } : { digits, places, count: at - from };
}

function readWhole(words: readonly string[], from: number): { readonly value: bigint; readonly count: number } | null {
  const start = words[from] ?? '';
  if (start === 'dozen') return { value: 12n, count: 1 };
  // An article counts only before a word that is counted.
  const hasArticle = start === 'a' && MULTIPLIERS.has(words[from + 1] ?? '');
  if (!hasArticle && !UNITS.has(start)) return null;
  let total = 0n;
  let group: bigint | null = hasArticle ? 1n : null;
  let lastScale = 10n ** 15n;
  let at = hasArticle ? from + 1 : from;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const unit = UNITS.get(word);
    const scale = SCALES.get(word);
    if (unit !== undefined && fits(group, unit)) group = (group ?? 0n) + unit;
    else if (word === 'hundred' && group !== null && group > 0n && group < 100n) group *= 100n;
    else if (scale !== undefined && group !== null && group > 0n && scale < lastScale) {
      total += group * scale;
      lastScale = scale;
      group = null;
    } else if (!isJoint(words, at)) break;
  }
  const value = total + (group ?? 0n);
  return words[at] === 'dozen' && value > 0n ? { value: value * 12n, count: at + 1 - from } : { value, count: at - from };
}

/** The “and” of “two hundred and five”, the hyphen of “twenty-five”: nothing of themselves, and nothing at the end of a number. */
function isJoint(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? '';
  const next = UNITS.get(words[at + 1] ?? '');
  if (next === undefined) return false;
  if (words[at] === 'and') return before === 'hundred' || SCALES.has(before);
  return words[at] === '-' && (UNITS.get(before) ?? 0n) >= 20n && next > 0n && next < 10n;
}

/** Whether a word below a hundred can follow what the group has already: after “twenty” only a digit, after “hundred” any, after “five” none. */
function fits(group: bigint | null, unit: bigint): boolean {
  if (group === null || (group > 0n && group % 100n === 0n)) return true;
  const tail = group % 100n;
  return tail >= 20n && tail % 10n === 0n && unit > 0n && unit < 10n;
}
