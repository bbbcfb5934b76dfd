import type { CalendarDate } from '@internationalized/date';
import { MathError } from './answer';
import { weekdayOf } from './day-names';
import { tokenise } from './tokens';

/** A whole number of one unit of the calendar. */
interface DurationPart {
  readonly count: number;
  readonly unit: 'days' | 'weeks' | 'months' | 'years' | 'business-days';
}

/** Whole amounts of the calendar's units, added in this order. */
export type Duration = readonly DurationPart[];

const UNITS = new Map<string, DurationPart['unit']>([
  ...['day', 'days', '天', '日'].map((name) => [name, 'days'] as const),
  ...['week', 'weeks', '周', '星期', '个星期', '礼拜', '个礼拜'].map((name) => [name, 'weeks'] as const),
  ...['month', 'months', '个月'].map((name) => [name, 'months'] as const),
  ...['year', 'years', '年'].map((name) => [name, 'years'] as const),
  ...['business day', 'business days', 'working day', 'working days', 'workday', 'workdays', '工作日', '个工作日'].map(
    (name) => [name, 'business-days'] as const,
  ),
]);
const LONGEST_NAME = 4;
const FIRST_YEAR = 1;
const LAST_YEAR = 9_999;
/** No count beyond can end within the calendar. */
const MAX_COUNT = 4_000_000;
/** Nobody names more units than there are. */
const MAX_PARTS = 5;
const MAX_CHARACTERS = 80;
const WORKING_DAYS = 5;
const SATURDAY = 6;
const SUNDAY = 0;

/** The duration that a whole lower-case text is: “3 weeks”, “1 year and 2 months”, 两个月, 10个工作日. Null for anything else, fractions among it. */
export function readDuration(text: string): Duration | null {
  const tokens = text.length > MAX_CHARACTERS ? null : tokenise(text.trim());
  if (tokens === null) return null;
  const parts: DurationPart[] = [];
  for (let at = 0; at < tokens.length;) {
    if (parts.length === MAX_PARTS) return null;
    if (parts.length > 0 && (tokens[at]?.text === 'and' || tokens[at]?.text === ',')) at += 1;
    const isArticle = tokens[at]?.text === 'a' || tokens[at]?.text === 'an';
    const value = tokens[at]?.value;
    if (!isArticle && (value === undefined || value.d !== 1n || value.n === 0n)) return null;
    const start = tokens[at + 1]?.start;
    if (start === undefined) return null;
    at += 1;
    let end = Math.min(tokens.length, at + LONGEST_NAME);
    while (end > at && !UNITS.has(text.trim().slice(start, tokens[end - 1]?.end))) end -= 1;
    const unit = UNITS.get(text.trim().slice(start, tokens[end - 1]?.end));
    if (end === at || unit === undefined) return null;
    const count = Number(value?.n ?? 1n);
    parts.push({ count: Math.min(count, MAX_COUNT), unit });
    at = end;
  }
  return parts.length === 0 ? null : parts;
}

/**
 * The date so much later (`sign` 1) or earlier (-1). Months and years end on the last day of a shorter month; business days are Monday to Friday.
 * Throws `out_of_range` outside the years 1 to 9999.
 */
export function addDuration(date: CalendarDate, duration: Duration, sign: 1 | -1): CalendarDate {
  return duration.reduce((from, part) => addPart(from, part, sign), date);
}

/** Days from one date to another; negative where the other is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return to.calendar.toJulianDay(to) - from.calendar.toJulianDay(from);
}

function addPart(date: CalendarDate, { count, unit }: DurationPart, sign: 1 | -1): CalendarDate {
  if (unit === 'months' || unit === 'years') {
    const months = date.year * 12 + date.month - 1 + sign * count * (unit === 'years' ? 12 : 1);
    if (months < FIRST_YEAR * 12 || months >= (LAST_YEAR + 1) * 12) throw new MathError('out_of_range');
    return date.add({ [unit]: sign * count });
  }
  const days = unit === 'business-days' ? businessDays(date, count, sign) : sign * count * (unit === 'weeks' ? 7 : 1);
  const first = date.set({ year: FIRST_YEAR, month: 1, day: 1 });
  const last = date.set({ year: LAST_YEAR, month: 12, day: 31 });
  const julianDay = date.calendar.toJulianDay(date) + days;
  if (julianDay < first.calendar.toJulianDay(first) || julianDay > last.calendar.toJulianDay(last)) throw new MathError('out_of_range');
  return date.add({ days });
}

/** Calendar days that so many business days take: whole weeks at once, the rest day by day. */
function businessDays(date: CalendarDate, count: number, sign: 1 | -1): number {
  if (count === 0) return 0;
  const start = weekdayOf(date);
  // A weekend counts as the working day on its other side: from there on, five steps are a week.
  const back = start === SATURDAY ? (sign > 0 ? 1 : 2) : start === SUNDAY ? (sign > 0 ? 2 : 1) : 0;
  let weekday = (start - sign * back + 7) % 7;
  let days = Math.floor(count / WORKING_DAYS) * 7 - back;
  for (let rest = count % WORKING_DAYS; rest > 0;) {
    days += 1;
    weekday = (weekday + sign + 7) % 7;
    if (weekday !== SATURDAY && weekday !== SUNDAY) rest -= 1;
  }
  return sign * days;
}
