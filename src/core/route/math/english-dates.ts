import type { CalendarDate } from '@internationalized/date';
import type { DateSurroundings, MathAnswer } from './answer';
import { dateAnswer, dayFrom, daysAnswer, movedDay, spanBetween, type Asked } from './date-answers';

/** How a question about a date begins, what it asks for, and whether it is a day that has been. */
const BEGINNINGS: readonly (readonly [pattern: RegExp, asked: Asked, allowsDay: boolean])[] = [
  [/^(?:what|which) (?:day of the week|weekday) (is it|will it be|was it|is|was|will|does|did) /, 'weekday', true],
  [/^(?:the )?(?:day of the week|weekday) (of|for|on) /, 'weekday', true],
  [/^(?:what|which) day (is it|will it be|was it) (?=in )/, 'date', false],
  [/^(?:what|which) day (is|was|will|does|did) (?!it )/, 'weekday', true],
  [/^(?:what|which) date (is it|will it be|was it|is|was|will be) /, 'date', false],
  [/^(?:the )?date (?:of )?()/, 'date', false],
];
const POLITE = /^(?:what is|what's|whats|what was|what will be|calculate|compute|tell me) /;

const AROUND = /^(.+) (from|after|before) (.+)$/;
const MOVED = /^(.+?) ?(\+|plus|minus| -) (.+)$/;
const DAYS =
  /^(?:how many |(?:the )?number of )?(days|weeks)(?: (?:are|is|have|has)(?: there| it| we)?)?(?: been| passed)?(?: left| to go| remaining)? (until|till|to|before|since|between|from) (.+)$/;
const HOW_LONG = /^how long(?: is it| has it been)? (until|till|since) (.+)$/;

/**
 * Date arithmetic that a whole lower-case English line asks for; null where it is none. `isAsked`: something was clearly to be worked out, so that
 * “in 3 weeks” alone is a question. Throws `out_of_range`.
 */
export function readEnglishDate(text: string, surroundings: DateSurroundings, isAsked: boolean): MathAnswer | null {
  const line = text.replace(POLITE, '');
  const days = readDays(line, surroundings);
  if (days !== null) return days;
  const beginning = BEGINNINGS.find(([pattern]) => pattern.test(line));
  const rest = beginning === undefined ? line : line.replace(beginning[0], '').replace(/ (?:be|fall|fall on|falls on|on)$/, '');
  const moved = readMoved(rest, surroundings, isAsked || beginning !== undefined);
  if (moved !== null) {
    // “What day is 30 days from today” wants the day in the calendar.
    const isWeekday = beginning?.[1] === 'weekday' && !/^(?:what|which) day (?!of )/.test(line);
    return dateAnswer(line, moved, isWeekday ? 'weekday' : 'date', surroundings);
  }
  // What day it is today is not arithmetic.
  if (beginning?.[2] !== true || /^(?:it |today|now)/.test(rest)) return null;
  const verb = beginning[0].exec(line)?.[1] ?? '';
  const day = dayFrom(rest, surroundings.today, /was|did/.test(verb) ? 'last' : 'next');
  return day === null ? null : dateAnswer(line, day, 'weekday', surroundings);
}

function readMoved(text: string, surroundings: DateSurroundings, isAsked: boolean): CalendarDate | null {
  const ago = / ago$/.exec(text);
  if (ago !== null) return movedDay('today', text.slice(0, ago.index), -1, surroundings);
  if (isAsked && text.startsWith('in ')) return movedDay('today', text.slice(3), 1, surroundings);
  const [, duration, direction, anchor] = AROUND.exec(text) ?? [];
  if (duration !== undefined && anchor !== undefined) {
    const moved = movedDay(anchor, duration, direction === 'before' ? -1 : 1, surroundings);
    if (moved !== null) return moved;
  }
  const [, day, sign, amount] = MOVED.exec(text) ?? [];
  return day === undefined || amount === undefined ? null : movedDay(day, amount, sign === '+' || sign === 'plus' ? 1 : -1, surroundings);
}

function readDays(line: string, surroundings: DateSurroundings): MathAnswer | null {
  const [, unitName, word, rest] = DAYS.exec(line) ?? [];
  const [, longWord, longRest] = HOW_LONG.exec(line) ?? [];
  const unit = unitName === 'weeks' ? 'weeks' : 'days';
  const [between, day] = [word ?? longWord, rest ?? longRest];
  if (between === undefined || day === undefined) return null;
  const { today } = surroundings;
  if (between === 'between' || between === 'from') {
    const span = splitSpan(day, between === 'between' ? ' and ' : ' to ', surroundings);
    return span === null ? null : daysAnswer(line, span.from, span.to, unit);
  }
  const other = dayFrom(day, today, between === 'since' ? 'last' : 'next');
  if (other === null) return null;
  return between === 'since' ? daysAnswer(line, other, today, unit) : daysAnswer(line, today, other, unit);
}

function splitSpan(text: string, joint: string, surroundings: DateSurroundings): ReturnType<typeof spanBetween> {
  const at = text.indexOf(joint);
  return at < 0 ? null : spanBetween(text.slice(0, at), text.slice(at + joint.length), surroundings);
}
