import { CalendarDate } from '@internationalized/date';
import { readChineseNumber } from '../words/chinese-numbers';
import { holidayNamed, type YearlyDay } from './holidays';

/** A day as people name it: of one year, of every year, or of every week (0: Sunday). */
export type NamedDay =
  | { readonly type: 'date'; readonly date: CalendarDate }
  | ({ readonly type: 'yearly' } & YearlyDay)
  | { readonly type: 'weekly'; readonly weekday: number };

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const CHINESE_WEEKDAYS = '日一二三四五六';

/** Days from today. */
const RELATIVE = new Map<string, number>([
  ['today', 0],
  ['now', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
  ['day after tomorrow', 2],
  ['day before yesterday', -2],
  ['今天', 0],
  ['今日', 0],
  ['现在', 0],
  ['明天', 1],
  ['明日', 1],
  ['后天', 2],
  ['大后天', 3],
  ['昨天', -1],
  ['昨日', -1],
  ['前天', -2],
  ['大前天', -3],
]);

const RELATIVE_YEARS = new Map<string, number>([
  ['今', 0],
  ['明', 1],
  ['去', -1],
]);

const HOLIDAY = /^(?:(\d{4})年的?)?(.+?)(?: (\d{4}))?$/;
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const MONTH_FIRST = /^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+)\.?(?:,? (\d{4}))?$/;
const CHINESE = /^(?:(.{1,6})年)?(.{1,3})月(.{1,3}?)(?:日|号)?$/;

/**
 * The day that a whole lower-case text names, or null. `a/b/c` is none: half the world reads it the other way round. Days that don't exist (February
 * 30) are none, and so are years before 1 and after 9999.
 */
export function readDay(text: string, today: CalendarDate): NamedDay | null {
  const name = text.trim().replace(/^the /, '').replace(/^on /, '');
  const offset = RELATIVE.get(name);
  if (offset !== undefined) return { type: 'date', date: today.add({ days: offset }) };
  const holiday = readHoliday(name);
  if (holiday !== null) return holiday;
  const weekday = weekdayNamed(name);
  if (weekday !== null) return { type: 'weekly', weekday };
  const iso = ISO.exec(name);
  if (iso !== null) return dayOf(iso[1], Number(iso[2]), Number(iso[3]));
  const monthFirst = MONTH_FIRST.exec(name);
  if (monthFirst !== null) return dayOf(monthFirst[3], monthNamed(monthFirst[1] ?? ''), Number(monthFirst[2]));
  const dayFirst = DAY_FIRST.exec(name);
  if (dayFirst !== null) return dayOf(dayFirst[3], monthNamed(dayFirst[2] ?? ''), Number(dayFirst[1]));
  const chinese = CHINESE.exec(name);
  if (chinese === null) return null;
  const [, year, month = '', day = ''] = chinese;
  if (year === undefined) return dayOf(undefined, numberIn(month), numberIn(day));
  const years = RELATIVE_YEARS.get(year);
  return dayOf(String(years === undefined ? numberIn(year) : today.year + years), numberIn(month), numberIn(day));
}

/** “Christmas”, “Christmas 2027”, 2027年元旦. */
function readHoliday(name: string): NamedDay | null {
  const [, yearBefore, named = name, yearBehind] = HOLIDAY.exec(name) ?? [];
  const day = holidayNamed(named);
  return day === null ? null : dayOf(yearBefore ?? yearBehind, day.month, day.day);
}

/** The weekday of a date, 0: Sunday. */
export function weekdayOf(date: CalendarDate): number {
  // Julian day 0 was a Monday.
  return (date.calendar.toJulianDay(date) + 1) % 7;
}

/** A weekday in words, 0: Sunday. */
export function weekdayName(weekday: number, language: 'en' | 'zh'): string {
  if (language === 'zh') return `星期${CHINESE_WEEKDAYS.charAt(weekday)}`;
  const name = WEEKDAYS[weekday] ?? '';
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/**
 * A named day as a date. `next`: the first one from today on; `last`: this year's, or the year before's where that is still to come, for what has
 * been; weekdays accordingly, never today.
 */
export function resolveDay(day: NamedDay, today: CalendarDate, direction: 'next' | 'last'): CalendarDate | null {
  if (day.type === 'date') return day.date;
  if (day.type === 'weekly') {
    const ahead = (day.weekday - weekdayOf(today) + 7) % 7;
    const behind = (weekdayOf(today) - day.weekday + 7) % 7;
    return direction === 'next' ? today.add({ days: ahead === 0 ? 7 : ahead }) : today.subtract({ days: behind === 0 ? 7 : behind });
  }
  const step = direction === 'next' ? 1 : -1;
  // February 29 comes back within eight years.
  for (let year = today.year; Math.abs(year - today.year) <= 8; year += step) {
    const date = existing(year, day.month, day.day);
    if (date !== null && date.compare(today) * step >= 0) return date;
  }
  return null;
}

function dayOf(year: string | undefined, month: number, day: number): NamedDay | null {
  if (year === undefined) return existing(2024, month, day) === null ? null : { type: 'yearly', month, day };
  const date = existing(Number(year), month, day);
  return date === null ? null : { type: 'date', date };
}

/** The package moves what doesn't exist to what does; a question about it has no answer. */
function existing(year: number, month: number, day: number): CalendarDate | null {
  if (!(year >= 1 && year <= 9999)) return null;
  const date = new CalendarDate(year, month, day);
  return date.month === month && date.day === day ? date : null;
}

function monthNamed(name: string): number {
  if (name === 'sept') return 9;
  return MONTHS.findIndex((month) => month === name || (name.length === 3 && month.startsWith(name))) + 1;
}

function weekdayNamed(name: string): number | null {
  const chinese = /^(?:星期|周|礼拜)([日天一二三四五六])$/.exec(name)?.[1];
  if (chinese !== undefined) return CHINESE_WEEKDAYS.indexOf(chinese === '天' ? '日' : chinese);
  const at = WEEKDAYS.indexOf(name);
  return at < 0 ? null : at;
}

/** A whole number in digits or Chinese numerals; NaN where it is none. */
function numberIn(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  const numeral = readChineseNumber(text, 0);
  return numeral !== null && numeral.end === text.length && numeral.value.d === 1n ? Number(numeral.value.n) : NaN;
}
