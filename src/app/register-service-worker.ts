import type { AppContext } from './app-context';
import { reloadOnceWhenAFileIsGone } from './updates/missing-file';

/**
 * Makes the app work offline, and keeps it whole across updates. Call it once, when the composer can be used: the rest is fetched when the page
 * is idle. Does nothing in development, and where the browser knows no service workers.
 */
export function registerServiceWorker(context: AppContext): void {
  if (!import.meta.env.PROD) return;
  reloadOnceWhenAFileIsGone(context.engine);
  if (!('serviceWorker' in navigator)) return;
  whenIdle(() => {
    // Without a network this page has been kept already, or can't be kept now.
    import('./updates/follow-updates').then(async ({ followUpdates }) => followUpdates(context)).catch(() => undefined);
  });
}

/** Runs `task` when nothing more urgent is left to do, a few seconds later at the latest. */
export function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(task, { timeout: 5_000 });
  else setTimeout(task, 2_000);
}
