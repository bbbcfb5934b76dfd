import Fraction from 'fraction.js';

const DIGITS = new Map<string, bigint>([
  ...[...'零一二三四五六七八九'].map((digit, value) => [digit, BigInt(value)] as const),
  ['〇', 0n],
  ['两', 2n],
]);
const PLACES = new Map<string, bigint>([
  ['十', 10n],
  ['百', 100n],
  ['千', 1000n],
]);
const MYRIAD = new Fraction(10_000n);
const MYRIAD_VALUES = new Map<string, Fraction>([
  ['万', MYRIAD],
  ['亿', new Fraction(10n ** 8n)],
  ['万亿', new Fraction(10n ** 12n)],
]);
const MYRIADS = /万亿|万|亿/y;
/** Arabic digits may stand where a Chinese digit may: 3万, 1.5亿, 2千3百. */
const ARABIC = /\d+(?:\.\d+)?/y;
const PLAIN_DIGITS = /[零〇一二三四五六七八九]{2,}/y;
const FRACTION_DIGITS = /点[零〇一二三四五六七八九]+/y;

/** A numeral and where it ends (UTF-16 offset). */
export interface Numeral {
  readonly value: Fraction;
  readonly end: number;
}

/**
 * The longest Chinese numeral at `from`, or null: 一百二十三, 一百二 (120), 三万五, 两千零五, 二〇二六, 三点一四, 1.5亿. A sign is not part of it; plain
 * Arabic digits without a Chinese place are none.
 */
export function readChineseNumber(text: string, from: number): Numeral | null {
  const plain = matchAt(PLAIN_DIGITS, text, from);
  if (plain !== null && !/[十百千万亿]/.test(text.charAt(from + plain.length)))
    return withDecimals(text, new Fraction(digitsOf(plain)), from + plain.length);
  const whole = readPlaces(text, from);
  return whole === null ? null : withDecimals(text, whole.value, whole.end);
}

/** A numeral by places: sections below ten thousand, each counted by the 万 or 亿 behind it. */
function readPlaces(text: string, from: number): Numeral | null {
  const used = new Set<string>();
  let total = new Fraction(0n);
  let unit: Fraction | null = null;
  let at = from;
  let isChinese = false;
  for (;;) {
    const section = readSection(text, at);
    if (section === null) break;
    const word = matchAt(MYRIADS, text, section.end) ?? '';
    isChinese ||= section.isChinese || word !== '';
    if (word === '' || used.has(word)) {
      // 一万五 is 15,000: a last digit counts the next place below.
      const isShort: boolean = unit !== null && section.isBareDigit;
      total = total.add(isShort && unit !== null ? section.value.mul(unit).div(10n) : section.value);
      at = section.end;
      break;
    }
    used.add(word);
    unit = MYRIAD_VALUES.get(word) ?? MYRIAD;
    total = word === '亿' ? total.add(section.value).mul(unit) : total.add(section.value.mul(unit));
    at = section.end + word.length;
  }
  return at === from || !isChinese ? null : { value: total, end: at };
}

interface Section extends Numeral {
  readonly isChinese: boolean;
  /** One Chinese digit and nothing else. */
  readonly isBareDigit: boolean;
}

/** A numeral below ten thousand by 千, 百 and 十, or plain Arabic digits. */
function readSection(text: string, from: number): Section | null {
  let value = new Fraction(0n);
  let digit: Fraction | null = null;
  let lastPlace = 10_000n;
  let isZeroed = false;
  let isChinese = false;
  let at = from;
  while (digit === null || PLACES.has(text.charAt(at))) {
    const character = text.charAt(at);
    const place = PLACES.get(character);
    const arabic: string | null = digit === null ? matchAt(ARABIC, text, at) : null;
    const chinese = DIGITS.get(character);
    if (place !== undefined) {
      if (place >= lastPlace || (digit === null && (place > 10n || at > from))) break;
      value = value.add((digit ?? new Fraction(1n)).mul(place));
      [digit, lastPlace, isZeroed] = [null, place, false];
    } else if (arabic !== null) digit = new Fraction(arabic);
    else if (chinese === 0n && !isZeroed && (at > from || DIGITS.has(text.charAt(at + 1)))) isZeroed = true;
    else if (chinese !== undefined) digit = new Fraction(chinese);
    else break;
    isChinese ||= arabic === null;
    at += arabic?.length ?? 1;
  }
  if (at === from) return null;
  // 一百二 is 120; 一百零二 is 102, and 十二 is 12.
  const isShort = digit !== null && lastPlace >= 100n && lastPlace < 10_000n && !isZeroed && DIGITS.has(text.charAt(at - 1));
  const last: Fraction = digit === null ? new Fraction(0n) : isShort ? digit.mul(lastPlace).div(10n) : digit;
  return { value: value.add(last), end: at, isChinese, isBareDigit: at === from + 1 && isChinese && digit !== null };
}

function withDecimals(text: string, whole: Fraction, end: number): Numeral {
  const decimals = matchAt(FRACTION_DIGITS, text, end);
  if (decimals === null) return { value: whole, end };
  const digits = decimals.slice(1);
  return { value: whole.add(new Fraction(digitsOf(digits), 10n ** BigInt(digits.length))), end: end + decimals.length };
}

function digitsOf(text: string): bigint {
  return [...text].reduce((sum, digit) => sum * 10n + (DIGITS.get(digit) ?? 0n), 0n);
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
