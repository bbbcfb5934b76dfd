import * as v from 'valibot';
import { defineTool } from './define-tool';

const DESCRIPTION =
  'Tells the current date, time and weekday, with the time zone and its offset. Use it whenever the answer depends on today or now.';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MAX_CHARACTERS = 64;

/** The user's date and time, or those of another time zone. Fails for a zone that doesn't exist. */
export const getDateTime = defineTool({
  name: 'get_date_time',
  group: 'time',
  approval: 'never',
  isAgentTool: false,
  description: DESCRIPTION,
  parameters: v.strictObject({
    time_zone: v.optional(
      v.pipe(
        v.string(),
        v.trim(),
        v.maxLength(MAX_CHARACTERS),
        v.description('IANA name of a time zone, for example "Asia/Tokyo". Left out: the user’s own.'),
      ),
    ),
  }),
  available: () => true,
  execute: async ({ time_zone: asked }, context) => {
    const { fromAbsolute, toCalendarDate, toTime } = await import('@internationalized/date');
    context.signal.throwIfAborted();
    const zone = asked === undefined || asked === '' ? context.timeZone : nameOfZone(asked);
    if (zone === null)
      return {
        text: `There is no time zone “${asked}”. Give an IANA name such as "Europe/Berlin", or leave it out for the user’s own (${context.timeZone}).`,
        failure: 'arguments-invalid',
      };
    const now = context.now();
    const local = fromAbsolute(now, zone);
    const date = toCalendarDate(local);
    const facts = {
      date: date.toString(),
      time: toTime(local).set({ millisecond: 0 }).toString(),
      // Julian day 0 was a Monday.
      weekday: WEEKDAYS[(date.calendar.toJulianDay(date) + 1) % 7] ?? '',
      time_zone: zone,
      utc_offset: offsetInWords(local.offset),
      epoch_ms: now,
    };
    const text = Object.entries(facts).map(([fact, value]) => `${fact}: ${value}`);
    return { text: text.join('\n'), data: { kind: 'date-time', ...facts } };
  },
});

/** A zone as the browser writes it; null where it knows none of that name. */
function nameOfZone(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** `+08:00` for an offset in milliseconds. */
function offsetInWords(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
