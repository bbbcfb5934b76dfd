const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
// Under this a moment reads as "now".
const NOW_MS = 45 * SECOND_MS;
const WEEK_DAYS = 7;
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A whole or decimal number with the separators of the language. */
export function formatNumber(tag: string, value: number): string {
  return new Intl.NumberFormat(tag, { maximumFractionDigits: 2 }).format(value);
}

/** A share between 0 and 1 as per cent, without decimals. */
export function formatPercent(tag: string, share: number): string {
  return new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** A size in decimal units (1 kB = 1,000 bytes), one decimal from kB up. */
export function formatBytes(tag: string, bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.95 would be shown as 1,000.0 of the smaller unit.
  while (value >= 999.95 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: BYTE_UNITS[unit] ?? 'byte',
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: unit === 0 ? 0 : 1,
  }).format(value);
}

/** A span of time: milliseconds below one second, seconds with one decimal below a minute, then minutes and seconds. */
export function formatDuration(tag: string, durationMs: number): string {
  const unit = (value: number, name: string, digits: number): string =>
    new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits }).format(value);
  if (durationMs < SECOND_MS) return unit(Math.round(durationMs), 'millisecond', 0);
  if (durationMs < MINUTE_MS) return unit(durationMs / SECOND_MS, 'second', 1);
  const minutes = Math.floor(durationMs / MINUTE_MS);
  const seconds = Math.round((durationMs - minutes * MINUTE_MS) / SECOND_MS);
  return seconds === 0 ? unit(minutes, 'minute', 0) : `${unit(minutes, 'minute', 0)} ${unit(seconds, 'second', 0)}`;
}

/** How long ago: "now", minutes, hours, days up to a week, then the date. `at` and `now` in epoch ms. */
export function formatRelativeTime(tag: string, at: number, now: number): string {
  const words = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const ago = now - at;
  if (Math.abs(ago) < NOW_MS) return words.format(0, 'second');
  if (Math.abs(ago) < HOUR_MS) return words.format(-Math.max(1, Math.round(ago / MINUTE_MS)), 'minute');
  const days = calendarDaysBetween(at, now);
  if (days === 0) return words.format(-Math.round(ago / HOUR_MS), 'hour');
  if (days > 0 && days < WEEK_DAYS) return words.format(-days, 'day');
  return formatDate(tag, at, now);
}

/** The exact moment: date and time to the minute. */
export function formatDateTime(tag: string, at: number): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short' }).format(at);
}

/** Day and month, with the year where it is another one. */
function formatDate(tag: string, at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) }).format(at);
}

/** Month and year, for headings: "October 2026". */
export function formatMonth(tag: string, at: number): string {
  return new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric' }).format(at);
}

/** Midnights between two moments on the reader's calendar; negative when `at` lies ahead. */
export function calendarDaysBetween(at: number, now: number): number {
  return Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
}

function startOfDay(at: number): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
