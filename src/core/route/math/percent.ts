import Fraction from 'fraction.js';
import { MathError, type MathAnswer } from './answer';
import { readAmount } from './compute';
import { printFraction } from './print';

/** What is made of the two amounts of a question, in the order in which they are written. */
type Calculation = (first: Fraction, second: Fraction) => Fraction;

interface PercentShape {
  readonly pattern: RegExp;
  readonly calculate: Calculation;
  readonly unit?: '%';
}

const HUNDRED = new Fraction(100n);
const share: Calculation = (percent, whole) => whole.mul(percent).div(HUNDRED);
const shareOf: Calculation = (whole, percent) => share(percent, whole);
const more: Calculation = (whole, percent) => whole.add(share(percent, whole));
const less: Calculation = (whole, percent) => whole.sub(share(percent, whole));
const ratio: Calculation = (part, whole) => part.mul(HUNDRED).div(divisor(whole));
const change: Calculation = (from, to) => to.sub(from).mul(HUNDRED).div(divisor(from.abs()));

/** Every pattern is anchored at both ends; the amounts are read, and anything but two numbers refused. */
const SHAPES: readonly PercentShape[] = [
  { pattern: /^(.+?) ?(?:%|percent|per cent|pct) of (.+)$/, calculate: share },
  { pattern: /^(.+?) ?(?:%|percent|per cent|pct) off(?: of)? (.+)$/, calculate: (percent, whole) => less(whole, percent) },
  { pattern: /^(.+?) ?(?:%|percent|per cent|pct) tip (?:on|for) (.+)$/, calculate: share },
  {
    pattern: /^(?:what|which) (?:percent|percentage|per cent|%) of (.+) (?:is|are) (.+)$/,
    calculate: (whole, part) => ratio(part, whole),
    unit: '%',
  },
  { pattern: /^(?:what|which) (?:percent|percentage|per cent|%) (?:is|are) (.+) of (.+)$/, calculate: ratio, unit: '%' },
  { pattern: /^(.+) (?:is|are) (?:what|which) (?:percent|percentage|per cent|%) of (.+)$/, calculate: ratio, unit: '%' },
  { pattern: /^(?:increase|raise) (.+) by (.+?) ?(?:%|percent|per cent|pct)$/, calculate: more },
  { pattern: /^(?:decrease|reduce|lower) (.+) by (.+?) ?(?:%|percent|per cent|pct)$/, calculate: less },
  { pattern: /^(?:percent|percentage|per cent|%) (?:change|increase|difference) from (.+) to (.+)$/, calculate: change, unit: '%' },
  {
    pattern: /^(?:percent|percentage|per cent|%) decrease from (.+) to (.+)$/,
    calculate: (from, to) => change(from, to).neg(),
    unit: '%',
  },
  { pattern: /^(.+)(?:占|是)(.+?)的?(?:百分之几|百分之多少|几%|多少%)$/, calculate: ratio, unit: '%' },
  {
    pattern: /^从?(.+)(?:涨到|增加到|增长到|上升到|变成|到)(.+)的?(?:变化|涨幅|增长)了?(?:百分之几|百分之多少)$/,
    calculate: change,
    unit: '%',
  },
  { pattern: /^百分之(.+)的(.+)$/, calculate: share },
  { pattern: /^(.+)的百分之(.+)$/, calculate: shareOf },
  { pattern: /^(.+)的(.+)%$/, calculate: shareOf },
  { pattern: /^(.+)%的(.+)$/, calculate: share },
  { pattern: /^(.+?)(?:上涨|增加|增长|上升|提高|涨)了?(?:百分之)(.+)$/, calculate: more },
  { pattern: /^(.+?)(?:上涨|增加|增长|上升|提高|涨)了?(.+)%$/, calculate: more },
  { pattern: /^(.+?)(?:下降|下跌|减少|降低|降|跌)了?(?:百分之)(.+)$/, calculate: less },
  { pattern: /^(.+?)(?:下降|下跌|减少|降低|降|跌)了?(.+)%$/, calculate: less },
];
/** 八折 is 80% of the price, 七五折 is 75%. */
const DISCOUNT = /^(.+)打([一二三四五六七八九]{1,2}|\d{1,2}|\d\.\d)折$/;

/** A percentage that a whole lower-case line asks for; null where it is none. Throws `division_by_zero`. */
export function readPercent(text: string): MathAnswer | null {
  const discount = DISCOUNT.exec(text);
  if (discount !== null) return discounted(text, discount[1] ?? '', discount[2] ?? '');
  for (const { pattern, calculate, unit } of SHAPES) {
    const found = pattern.exec(text);
    const first = found === null ? null : readAmount(found[1] ?? '');
    const second = found === null ? null : readAmount(found[2] ?? '');
    if (first === null || second === null) continue;
    return {
      type: 'value',
      kind: 'percent',
      source: text,
      ...printFraction(calculate(first, second)),
      ...(unit === undefined ? {} : { unit }),
    };
  }
  return null;
}

function discounted(source: string, price: string, words: string): MathAnswer | null {
  const amount = readAmount(price);
  const digits = [...words]
    .map((digit) => ('一二三四五六七八九'.includes(digit) ? String('一二三四五六七八九'.indexOf(digit) + 1) : digit))
    .join('');
  if (amount === null) return null;
  const share = digits.length === 2 ? new Fraction(digits).div(HUNDRED) : new Fraction(digits).div(10n);
  return { type: 'value', kind: 'percent', source, ...printFraction(amount.mul(share)) };
}

function divisor(value: Fraction): Fraction {
  if (value.n === 0n) throw new MathError('division_by_zero');
  return value;
}
