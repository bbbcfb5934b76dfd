import { describe, expect, test } from 'vitest';
import { AppError, ERROR_CODES } from '../../src/core/errors';
import { DEFAULT_RETRY_POLICY, nextDelay } from '../../src/outbound/retry';

const overloaded = new AppError('overloaded', { retryable: true });
const asks = (retryAfterMs: number): AppError => new AppError('rate-limit', { retryable: true, details: { retryAfterMs } });
const delay = (error: AppError, attempt: number, elapsedMs: number, random: number): number | null =>
  nextDelay(error, attempt, elapsedMs, DEFAULT_RETRY_POLICY, () => random);

describe('the delay before a retry', () => {
  test.each([
    [1, 0.5, 1_000],
    [2, 0.5, 2_000],
    [3, 0.5, 4_000],
    [1, 0, 850],
    [3, 1, 4_600],
  ])('try %i with randomness %f is %i ms', (attempt, random, expected) => {
    expect(delay(overloaded, attempt, 0, random)).toBe(expected);
  });

  test('there is no fourth try', () => {
    expect(delay(overloaded, 4, 0, 0.5)).toBeNull();
  });

  test('it is never longer than 30 s by itself', () => {
    const patient = { ...DEFAULT_RETRY_POLICY, retries: 9, totalMs: 999_000 };
    expect(nextDelay(overloaded, 9, 0, patient, () => 1)).toBe(30_000);
  });

  test('the server names a minimum, with up to 15 % or one second more', () => {
    expect(delay(asks(7_000), 1, 0, 0)).toBe(7_000);
    expect(delay(asks(2_000), 1, 0, 1)).toBe(2_300);
    expect(delay(asks(40_000), 1, 0, 1)).toBe(41_000);
    expect(delay(asks(200), 1, 0, 0.5)).toBe(1_000);
  });

  test('a delay beyond the minute ends it', () => {
    expect(delay(asks(61_000), 1, 0, 0)).toBeNull();
    expect(delay(overloaded, 1, 59_000, 0.5)).toBe(1_000);
    expect(delay(overloaded, 1, 59_001, 0.5)).toBeNull();
  });

  test('nothing that can not pass is sent again', () => {
    for (const code of ERROR_CODES) expect(delay(new AppError(code), 1, 0, 0.5)).toBeNull();
  });
});
