import type { CalendarDate } from '@internationalized/date';
import Fraction from 'fraction.js';
import type { DateSurroundings, MathAnswer } from './answer';
import { readDay, resolveDay, weekdayName, weekdayOf, type NamedDay } from './day-names';
import { addDuration, daysBetween, readDuration } from './duration';
import { printFraction } from './print';

/** What is asked about a day. */
export type Asked = 'date' | 'weekday';

/** A date as an answer. */
export function dateAnswer(source: string, date: CalendarDate, asked: Asked, { language }: DateSurroundings): MathAnswer {
  const weekday = weekdayName(weekdayOf(date), language);
  return asked === 'weekday'
    ? { type: 'weekday', source, value: weekday, date: date.toString() }
    : { type: 'date', source, value: date.toString(), weekday };
}

/** The days between two dates as an answer; negative where the second is earlier. */
export function daysAnswer(source: string, from: CalendarDate, to: CalendarDate, unit: 'days' | 'weeks'): MathAnswer {
  const days = new Fraction(daysBetween(from, to));
  return { type: 'days', source, unit, ...printFraction(unit === 'weeks' ? days.div(7n) : days) };
}

/** The day that `text` names, moved by what `duration` says; null where one of them is none. Throws `out_of_range`. */
export function movedDay(text: string, duration: string, sign: 1 | -1, { today }: DateSurroundings): CalendarDate | null {
  const amount = readDuration(duration);
  const day = amount === null ? null : dayFrom(text, today, 'next');
  return amount === null || day === null ? null : addDuration(day, amount, sign);
}

/** The date that `text` names; null where it names none. */
export function dayFrom(text: string, today: CalendarDate, direction: 'next' | 'last'): CalendarDate | null {
  const day = readDay(text, today);
  return day === null ? null : resolveDay(day, today, direction);
}

/**
 * Both ends of a span. Without years they belong to this year, and the end to the year after the beginning's where it would come before it; seen from
 * today the other end is the last or the next of its kind. Null where one of them is no day.
 */
export function spanBetween(
  first: string,
  second: string,
  { today }: DateSurroundings,
): { readonly from: CalendarDate; readonly to: CalendarDate } | null {
  const [a, b] = [readDay(first, today), readDay(second, today)];
  if (a === null || b === null) return null;
  const from = isToday(b, today) ? resolveDay(a, today, 'last') : resolveDay(a, startOfYear(a, today), 'next');
  if (from === null) return null;
  const to = b.type === 'date' ? b.date : resolveDay(b, from, 'next');
  if (to === null) return null;
  // Between knows no direction.
  return from.compare(to) <= 0 ? { from, to } : { from: to, to: from };
}

const isToday = (day: NamedDay, today: CalendarDate): boolean => day.type === 'date' && day.date.compare(today) === 0;

/** A day of every year is looked for from January on, a weekday from today on. */
function startOfYear(day: NamedDay, today: CalendarDate): CalendarDate {
  return day.type === 'yearly' ? today.set({ month: 1, day: 1 }) : today;
}
