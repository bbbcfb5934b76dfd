import type { DownloadProgress } from './store';

// Ten times a second is as smooth as a bar needs.
const TELL_MS = 100;

/** Tells no more often than a bar can show, never less than before, and always the last. */
export function steady(tell: (progress: DownloadProgress) => void, elapsed: () => number): (progress: DownloadProgress) => void {
  let lastMs = -Infinity;
  let most = 0;
  return ({ receivedBytes, totalBytes }) => {
    most = Math.max(most, receivedBytes);
    const nowMs = elapsed();
    if (nowMs - lastMs < TELL_MS && most !== totalBytes) return;
    lastMs = nowMs;
    tell({ receivedBytes: most, totalBytes });
  };
}

/** The sum, or null where one of them is unknown. */
export function totalOf(sizes: readonly (number | null)[]): number | null {
  return sizes.reduce<number | null>((sum, size) => (sum === null || size === null ? null : sum + size), 0);
}
