import { describe, expect, test } from 'vitest';
import { getDateTime } from '../../src/tools/get-date-time';
import { idleToolContext } from '../support/idle-tool-context';

const NOW = Date.parse('2026-03-14T09:26:05.678+08:00');
const at = (zone?: string, now: number = NOW) =>
  getDateTime.call(zone === undefined ? {} : { time_zone: zone }, idleToolContext({ now: () => now }));

describe('get_date_time', () => {
  test('tells the user’s own date and time', async () => {
    const outcome = await at();
    expect(outcome.text.split('\n')).toEqual([
      'date: 2026-03-14',
      'time: 09:26:05',
      'weekday: Saturday',
      'time_zone: Asia/Shanghai',
      'utc_offset: +08:00',
      `epoch_ms: ${NOW}`,
    ]);
    expect(outcome.data).toEqual({
      kind: 'date-time',
      date: '2026-03-14',
      time: '09:26:05',
      weekday: 'Saturday',
      time_zone: 'Asia/Shanghai',
      utc_offset: '+08:00',
      epoch_ms: NOW,
    });
  });

  test.each([
    ['America/New_York', NOW, { date: '2026-03-13', time: '21:26:05', weekday: 'Friday', utc_offset: '-04:00' }],
    ['Asia/Kathmandu', NOW, { time: '07:11:05', utc_offset: '+05:45' }],
    ['utc', NOW, { time: '01:26:05', utc_offset: '+00:00', time_zone: 'UTC' }],
    ['Europe/Berlin', Date.parse('2026-03-29T00:59:59Z'), { time: '01:59:59', utc_offset: '+01:00' }],
    ['Europe/Berlin', Date.parse('2026-03-29T01:00:00Z'), { time: '03:00:00', utc_offset: '+02:00' }],
  ])('%s', async (zone, now, facts) => {
    expect((await at(zone, now)).data).toMatchObject(facts);
  });

  test('a zone that doesn’t exist fails and says so', async () => {
    const outcome = await at('Mars/Olympus');
    expect(outcome.failure).toBe('arguments-invalid');
    expect(outcome.text).toContain('no time zone “Mars/Olympus”');
    expect(outcome.text).toContain('Asia/Shanghai');
  });

  test('it runs unasked, and a stopped run gets no answer', async () => {
    expect(getDateTime).toMatchObject({ name: 'get_date_time', group: 'time', approval: 'never', isAgentTool: false });
    await expect(getDateTime.call({}, idleToolContext({ signal: AbortSignal.abort() }))).rejects.toMatchObject({ name: 'AbortError' });
  });
});
