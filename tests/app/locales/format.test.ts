import { describe, expect, test } from 'vitest';
import {
  calendarDaysBetween,
  formatBytes,
  formatDuration,
  formatMonth,
  formatNumber,
  formatPercent,
  formatRelativeTime,
} from '../../../src/app/locales/format';
import { pluralIn } from '../../../src/app/locales/plural';

const at = (day: number, hour = 12, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime();
const NOW = at(30);

describe('numbers', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [1549, '1.5 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1 MB'],
    [5_250_000_000, '5.3 GB'],
    [2e15, '2,000 TB'],
  ])('%i bytes are %s', (bytes, expected) => {
    expect(formatBytes('en', bytes)).toBe(expected);
  });

  test('separators follow the language', () => {
    expect(formatNumber('en', 1_234_567.891)).toBe('1,234,567.89');
    expect(formatPercent('en', 0.256)).toBe('26%');
    expect(formatBytes('zh-Hans', 1500)).toBe('1.5 kB');
  });

  test.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1000, '1 sec'],
    [12_340, '12.3 sec'],
    [60_000, '1 min'],
    [95_400, '1 min 35 sec'],
  ])('%f ms are %s', (durationMs, expected) => {
    expect(formatDuration('en', durationMs)).toBe(expected);
  });

  test('plurals by the rules of the language', () => {
    const forms = { one: '# file', other: '# files' };
    expect([0, 1, 2, 1234].map((count) => pluralIn('en')(count, forms))).toEqual(['0 files', '1 file', '2 files', '1,234 files']);
    expect(pluralIn('zh-Hans')(1, { other: '# 个文件' })).toBe('1 个文件');
    expect(pluralIn('pl')(3, { one: 'plik', few: '# pliki', other: 'plików' })).toBe('3 pliki');
  });
});

describe('time', () => {
  test.each([
    [NOW - 44_000, 'now'],
    [NOW + 44_000, 'now'],
    [NOW - 46_000, '1 minute ago'],
    [NOW - 59 * 60_000, '59 minutes ago'],
    [NOW - 3 * 3_600_000, '3 hours ago'],
    [at(29, 23), 'yesterday'],
    [at(24), '6 days ago'],
    [at(23), 'Nov 23'],
    [new Date(2025, 1, 3).getTime(), 'Feb 3, 2025'],
  ])('%i is %s', (moment, expected) => {
    expect(formatRelativeTime('en', moment, NOW)).toBe(expected);
  });

  test('days are counted by the calendar, not by 24 hours', () => {
    expect(calendarDaysBetween(at(29, 23, 59), at(30, 0, 1))).toBe(1);
    expect(calendarDaysBetween(at(30, 0, 1), at(30, 23, 59))).toBe(0);
    // Both changes of the clock lie in between.
    expect(calendarDaysBetween(new Date(2026, 0, 1).getTime(), new Date(2026, 11, 31).getTime())).toBe(364);
  });

  test('headings of months', () => {
    expect(formatMonth('en', at(1))).toBe('November 2026');
    expect(formatMonth('zh-Hans', at(1))).toBe('2026年11月');
  });
});
