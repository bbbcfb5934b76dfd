import type { CalendarDate } from '@internationalized/date';
import type { DateSurroundings, MathAnswer } from './answer';
import { dateAnswer, dayFrom, daysAnswer, movedDay, spanBetween, type Asked } from './date-answers';

const WHICH_DATE = /(?:是|的)?(?:几月几[日号]|几月几|几号|哪天|哪一天|哪日|什么日子|什么日期|多少号|日期)$/;
const WHICH_WEEKDAY = /(?:那天|当天)?(?:是|在)?(?:星期几|周几|礼拜几|星期几呢)$/;
const HOW_MANY = /(?:已经|一共|总共|共|相差|差|相隔|间隔|隔)?(?:有|是|了)?(?:多少天|几天|多少周|几周|多少个星期|几个星期)了?$/;
const IN_WEEKS = /(?:周|星期)了?$/;

/** 二〇二六年十二月二十五日的 has 14 characters. */
const LONGEST_DAY = 16;

const LATER = /^(?:从?今天(?:起|开始|往后)?)?再?过?(.+?)(之后|以后|后|之前|以前|前)$/;
const AROUND = /^(.+?)(之后|以后|后|之前|以前|前)的?(.+)$/;
const PASSING = /^再过(.+)$/;
const MOVED = /^(.+?)(加上|加|\+|减去|减|-)(.+)$/;
const UNTIL = /^(?:现在|今天)?(?:距离|距|离|到)(.+?)(?:还有|还剩下?|还要|还|剩下?)$/;
const UNTIL_BARE = /^(?:距离|距|离)(.+)$/;
const SINCE = /^(?:距离|距|离|从)?(.+?)(?:到现在|到今天|至今)?(?:已经)?(?:过去|过)$/;
const BETWEEN = /^从?(.+?)(?:到|至|和|与|跟)(.+?)(?:之间|中间)?$/;

/**
 * Date arithmetic that a whole Chinese line asks for; null where it is none. `isAsked`: something was clearly to be worked out, so that 30天后 alone is
 * a question. Throws `out_of_range`.
 */
export function readChineseDate(text: string, surroundings: DateSurroundings, isAsked: boolean): MathAnswer | null {
  const line = text.replaceAll(' ', '');
  if (HOW_MANY.test(line)) return readDays(line, line.replace(HOW_MANY, ''), surroundings);
  const asked: Asked | null = WHICH_WEEKDAY.test(line) ? 'weekday' : WHICH_DATE.test(line) ? 'date' : null;
  // 30天后 may be the answer to something; 3月1日加30天 is a question of its own.
  if (asked === null && !isAsked && !MOVED.test(line)) return null;
  const rest = line.replace(asked === 'weekday' ? WHICH_WEEKDAY : WHICH_DATE, '');
  const moved = readMoved(rest, surroundings);
  if (moved !== null) return dateAnswer(line, moved, asked ?? 'date', surroundings);
  // What day it is today is not arithmetic.
  if (asked !== 'weekday' || /^(?:今天|今日|现在)$/.test(rest)) return null;
  const day = dayFrom(rest, surroundings.today, 'next');
  return day === null ? null : dateAnswer(line, day, asked, surroundings);
}

function readMoved(text: string, surroundings: DateSurroundings): CalendarDate | null {
  const [, amount, direction] = LATER.exec(text) ?? [];
  if (amount !== undefined && direction !== undefined) return afterDay(amount, direction.includes('前') ? -1 : 1, surroundings);
  const [, from, side, behind] = AROUND.exec(text) ?? [];
  const around =
    from === undefined || behind === undefined ? null : movedDay(from, behind, side?.includes('前') === true ? -1 : 1, surroundings);
  if (around !== null) return around;
  const passing = PASSING.exec(text)?.[1];
  if (passing !== undefined) return movedDay('今天', passing, 1, surroundings);
  const [, day, sign, duration] = MOVED.exec(text) ?? [];
  return day === undefined || duration === undefined ? null : movedDay(day, duration, /加|\+/.test(sign ?? '') ? 1 : -1, surroundings);
}

/** 30天, 国庆节30天, 3月1日之后30天: a duration, with a day before it or without. */
function afterDay(text: string, sign: 1 | -1, surroundings: DateSurroundings): CalendarDate | null {
  const plain = movedDay('今天', text, sign, surroundings);
  if (plain !== null) return plain;
  for (let at = 1; at < Math.min(text.length, LONGEST_DAY); at += 1) {
    const anchor = text.slice(0, at).replace(/的$/, '');
    const moved = movedDay(anchor, text.slice(at), sign, surroundings);
    if (moved !== null) return moved;
  }
  return null;
}

function readDays(line: string, text: string, surroundings: DateSurroundings): MathAnswer | null {
  const unit = IN_WEEKS.test(line) ? 'weeks' : 'days';
  const { today } = surroundings;
  const until = dayOf(UNTIL, text, today, 'next');
  if (until !== null) return daysAnswer(line, today, until, unit);
  const since = dayOf(SINCE, text, today, 'last');
  if (since !== null) return daysAnswer(line, since, today, unit);
  const [, first, second] = BETWEEN.exec(text) ?? [];
  const span = first === undefined || second === undefined ? null : spanBetween(first.replace(/^(?:距离|距|离)/, ''), second, surroundings);
  if (span !== null) return daysAnswer(line, span.from, span.to, unit);
  const bare = dayOf(UNTIL_BARE, text, today, 'next');
  return bare === null ? null : daysAnswer(line, today, bare, unit);
}

function dayOf(pattern: RegExp, text: string, today: CalendarDate, direction: 'next' | 'last'): CalendarDate | null {
  const name = pattern.exec(text)?.[1];
  return name === undefined ? null : dayFrom(name, today, direction);
}
