import * as v from 'valibot';
import { defineTool } from './define-tool';

/** Reads the clock. */
export const dateTime = defineTool({
  name: 'get_date_time',
  group: 'time',
  approval: 'never',
  isAgentTool: false,
  description: 'The present date and time, on the user’s device or in a time zone.',
  parameters: v.strictObject({
    time_zone: v.optional(v.pipe(v.string(), v.description('IANA name such as Asia/Tokyo. Left out: the user’s own.'))),
  }),
  available: () => true,
  execute: async ({ time_zone: wanted }, context) => {
    const zone = wanted ?? context.timeZone;
    const at = context.now();
    try {
      return Promise.resolve({ text: JSON.stringify({ ...partsIn(zone, at), time_zone: zone, timestamp_ms: at }) });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return Promise.resolve({ failure: 'refused', text: `There is no time zone “${zone}”. Use an IANA name such as Europe/Berlin.` });
    }
  },
});

/** Throws RangeError for a zone that does not exist. */
function partsIn(timeZone: string, at: number) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    weekday: 'long',
    timeZoneName: 'longOffset',
  });
  const parts = new Map(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
    weekday: part('weekday'),
    utc_offset: part('timeZoneName').replace('GMT', '') || '+00:00',
  };
}
