import { loadavg } from 'node:os';
import type { CDPSession, Page } from '@playwright/test';

/** Every figure is the median of so many runs. */
export const RUNS = Number(process.env['BENCH_RUNS'] ?? 5);

// The browser counts from the moment a session asks, so one session has to see everything.
const sessions = new WeakMap<Page, CDPSession>();

/** Processor seconds that the page's main thread has used since this was first asked: what else the machine does is not in them. */
export async function busySeconds(page: Page): Promise<number> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  if (!sessions.has(page)) await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  sessions.set(page, session);
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0;
}

/** Keeps the long tasks and the key presses of every page from its first script on. */
export async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.__longestTaskMs = 0;
    window.__keyToPaintMs = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.__longestTaskMs = Math.max(window.__longestTaskMs ?? 0, entry.duration);
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') window.__keyToPaintMs?.push(entry.duration);
    }).observe(Object.assign({ type: 'event', buffered: true }, { durationThreshold: 16 }));
  });
}

/** Forgets the tasks so far: what comes now is another matter. */
export async function forgetTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.__longestTaskMs = 0;
    window.__keyToPaintMs = [];
  });
}

/** The longest task over 50 ms so far; 0 where there was none. */
export async function longestTaskMs(page: Page): Promise<number> {
  return Math.round(await page.evaluate(() => window.__longestTaskMs ?? 0));
}

/** Milliseconds from a key to the frame that shows it, 95th of 100, over `keys` presses. Those under 16 ms are not reported by the browser and count as 16. */
export async function keyToPaintMs(page: Page, keys: number): Promise<number> {
  const slow = await page.evaluate(() => window.__keyToPaintMs ?? []);
  const all = [...slow, ...Array.from({ length: Math.max(0, keys - slow.length) }, () => 16)].sort((a, b) => a - b);
  return all[Math.ceil(all.length * 0.95) - 1] ?? 0;
}

/** Resolves with the page's time (epoch ms) of the frame in which the end of the last text is `word`. Looks at that element alone, every `everyMs`. */
export function untilLastWord(page: Page, word: string, everyMs: number): Promise<number> {
  return page.evaluate(
    async ([wanted, wait]) => {
      const texts = document.getElementsByClassName('markdown');
      const isThere = (): boolean => texts.item(texts.length - 1)?.lastElementChild?.textContent.includes(wanted) === true;
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, wait));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.timeOrigin + performance.now();
    },
    [word, everyMs] as const,
  );
}

/** The median of one figure over all runs. */
export function median<Run>(runs: readonly Run[], figure: (run: Run) => number): number {
  const sorted = runs.map(figure).sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** One line a scenario; the load tells how far the figures can be trusted. */
export function report(scenario: string, figures: Readonly<Record<string, string | number>>): void {
  const words = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`${scenario}: ${words.join(', ')} (load ${(loadavg()[0] ?? 0).toFixed(1)})\n`);
}

declare global {
  interface Window {
    __longestTaskMs?: number;
    __keyToPaintMs?: number[];
  }
}
