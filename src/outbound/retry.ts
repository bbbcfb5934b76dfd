import type { AppError } from '../core/errors';

export interface RetryPolicy {
  /** How often a step may be sent again. */
  readonly retries: number;
  readonly firstDelayMs: number;
  /** From the first request on; a delay that would end later ends the retrying. */
  readonly totalMs: number;
  readonly maxDelayMs: number;
  readonly factor: number;
  /** Part of the delay by which it may be shorter or longer. */
  readonly jitter: number;
}

/** Three tries after 1, 2 and 4 s, give or take 15 %, within a minute. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  retries: 3,
  firstDelayMs: 1_000,
  totalMs: 60_000,
  maxDelayMs: 30_000,
  factor: 2,
  jitter: 0.15,
};

/** A server that names a time is asked this much later at most, so that its clients don't return all at once. */
const MAX_SPREAD_MS = 1_000;

/**
 * Milliseconds to wait before try `attempt` (1 = the first retry), or null if there is none: the failure can't pass by itself, the
 * tries are used up, or the delay would go past `totalMs`. A `retryAfterMs` in the error's details is a minimum and may exceed
 * `maxDelayMs`. `random` gives [0, 1).
 */
export function nextDelay(error: AppError, attempt: number, elapsedMs: number, policy: RetryPolicy, random: () => number): number | null {
  if (!error.retryable || attempt > policy.retries) return null;
  const steady = policy.firstDelayMs * policy.factor ** (attempt - 1);
  const spread = 1 + (random() * 2 - 1) * policy.jitter;
  const own = Math.min(steady * spread, policy.maxDelayMs);
  const delay = Math.round(Math.max(own, requestedDelay(error, policy, random)));
  return elapsedMs + delay > policy.totalMs ? null : delay;
}

function requestedDelay(error: AppError, policy: RetryPolicy, random: () => number): number {
  const asked = error.details['retryAfterMs'];
  if (typeof asked !== 'number') return 0;
  return asked + random() * Math.min(asked * policy.jitter, MAX_SPREAD_MS);
}
