/** How long a new version may take to take over. It is there within a second or two; one that hangs must not keep the page from reloading. */
export const TAKE_OVER_MS = 5_000;

/** Resolves with `work`, or without it once the time is over. */
export function within(limitMs: number, work: Promise<void>): Promise<void> {
  return Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, limitMs))]);
}
