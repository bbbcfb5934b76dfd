/** What came while a device slept is read within a few milliseconds after it wakes. */
const WAKING_MS = 1_000;

/**
 * Calls `onEnd` once `limitMs` have gone by, and a moment later than that: a page or a device that slept wakes with its timers overdue and with
 * everything unread that came meanwhile, and the timers are first. Returns its cancellation.
 */
export function startPatience(limitMs: number, onEnd: () => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(onEnd, Math.min(limitMs, WAKING_MS));
  }, limitMs);
  return () => {
    clearTimeout(timer);
  };
}
