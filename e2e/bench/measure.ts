import { loadavg } from 'node:os';
import type { CDPSession, Page } from '@playwright/test';

// The browser counts from the moment a session asks, so one session has to see everything.
const sessions = new WeakMap<Page, CDPSession>();

/** Seconds that the page's main thread has been busy since this was first asked. */
export async function busySeconds(page: Page): Promise<number> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  if (!sessions.has(page)) await session.send('Performance.enable');
  sessions.set(page, session);
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0;
}

/** Keeps the longest task of every page from its first script on. */
export async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.__longestTaskMs = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.__longestTaskMs = Math.max(window.__longestTaskMs ?? 0, entry.duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

/** The longest task over 50 ms so far; 0 where there was none. */
export async function longestTaskMs(page: Page): Promise<number> {
  return Math.round(await page.evaluate(() => window.__longestTaskMs ?? 0));
}

/** One line a scenario; the load tells how far the figures can be trusted. */
export function report(scenario: string, figures: Readonly<Record<string, string | number>>): void {
  const words = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`${scenario}: ${words.join(', ')} (load ${(loadavg()[0] ?? 0).toFixed(1)})\n`);
}

declare global {
  interface Window {
    __longestTaskMs?: number;
  }
}
