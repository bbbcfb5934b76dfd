import type { Locator, Page } from '@playwright/test';
import { between, seeded } from '../../tests/support/random';
import { App, expect } from './app';
import { moments, type MomentName } from './kill-moments';

// What was on the screen this long before the kill has to be there afterwards. A save may start a second after its text arrived.
const MAX_LOSS_MS = 1000;
const DELTA_CHARACTERS = 8;
const DELTAS_PER_SECOND = 200;

/** Something that will be killed, and what comes after it. */
export interface Victim {
  readonly app: App;
  /** What its worker does where a trap stops it: it ends by itself, or waits there to be ended with everything around it. */
  readonly fate: 'dies' | 'stands still';
  /** Ends it, unless it ended by itself. Resolves with the app that is there afterwards, on the same conversation. */
  end(hasEnded: boolean): Promise<App>;
}

/** Its worker: the page lives. */
export function workerOf(app: App): Victim {
  return {
    app,
    fate: 'dies',
    end: async (hasEnded) => {
      if (!hasEnded) await endWorker(app.page);
      return app;
    },
  };
}

/** The tab, with everything in it. The next one is opened at the same address. */
export function tabOf(app: App): Victim {
  return {
    app,
    fate: 'stands still',
    end: async () => {
      const { page } = app;
      const address = page.url();
      const context = page.context();
      const crashed = page.waitForEvent('crash');
      const client = await context.newCDPSession(page);
      // It never answers: who would?
      void client.send('Page.crash').catch(() => undefined);
      await crashed;
      const next = new App(await context.newPage(), app.server);
      await page.close();
      await next.page.goto(address);
      await expect(next.page.locator('main')).toBeVisible();
      return next;
    },
  };
}

/** Ends the generation worker as a crash would: from inside, without a word. */
async function endWorker(page: Page): Promise<void> {
  const generation = page.workers().find((worker) => worker.url().includes('generation'));
  if (generation === undefined) throw new Error('no generation worker');
  await generation.evaluate(() => {
    self.close();
  });
}

/** Kills `victim` at a moment and looks at what is left: see `kill-moments.ts`. Resolves with the app that is there afterwards. */
export async function killAt(name: MomentName, victim: Victim, round: number): Promise<App> {
  const moment = moments[name];
  const check = await moment(victim.app, { question: `Question ${round}, killed ${name}`, fate: victim.fate });
  const after = await victim.end(check.isTrapped && victim.fate === 'dies');
  await check.after(after);
  await expect(after.page.getByText('Answer in progress')).toHaveCount(0);
  return after;
}

interface KillPlan {
  readonly count: number;
  readonly seed: number;
  readonly names: readonly MomentName[];
}

/**
 * Kills workers and tabs at seeded moments and looks each time at what is left: every message of the user, all of the answer but its last second,
 * no spinner, and a next step that works. Rejects at the first loss. Prints one line of figures either way.
 */
export async function runKills(first: App, { count, seed, names }: KillPlan): Promise<void> {
  const random = seeded(seed);
  const times = new Map<string, number>();
  let app = first;
  let worstMs = 0;
  let survived = 0;
  await app.open();
  await app.connect();
  await app.ask('The first question');
  try {
    for (; survived < count; survived++) {
      const name = names[between(random, 0, names.length - 1)] ?? 'streaming';
      const victimOf = between(random, 0, 1) === 0 ? workerOf : tabOf;
      times.set(name, (times.get(name) ?? 0) + 1);
      if (name === 'streaming') {
        const { next, lostMs } = await killInMidAnswer(victimOf(app), survived, between(random, 5, 800));
        worstMs = Math.max(worstMs, lostMs);
        app = next;
      } else app = await killAt(name, victimOf(app), survived);
    }
  } finally {
    const drawn = [...times].sort(([a], [b]) => a.localeCompare(b)).map(([name, number]) => `${name} ${number}`);
    process.stdout.write(`kills ${survived}/${count}, seed ${seed}, worst loss ${Math.round(worstMs)} ms; ${drawn.join(', ')}\n`);
  }
}

/** Kills while about 230 words a second arrive, once word `lastWord` is on the screen, and measures what of the answer is gone. */
async function killInMidAnswer(victim: Victim, round: number, lastWord: number): Promise<{ next: App; lostMs: number }> {
  const { app } = victim;
  const words = Array.from({ length: 2000 }, (_, index) => `w${round}x${index}`).join(' ');
  app.server.enqueue({ type: 'text', text: words, deltaSize: DELTA_CHARACTERS, tokensPerSecond: DELTAS_PER_SECOND });
  const question = `Question ${round}, killed in mid-answer`;
  await app.send(question);
  await expect(app.message(-1)).toContainText(`w${round}x${lastWord}`);
  const before = await lengthOf(app.message(-1), round);
  const next = await victim.end(false);
  const answer = next.message(-1);
  await expect(answer).toHaveAttribute('data-status', 'interrupted', { timeout: 15_000 });
  await next.atRest();
  await expect(next.message(-2)).toContainText(question);
  let lostMs = Infinity;
  const measure = async (): Promise<number> => {
    lostMs = ((before - (await lengthOf(answer, round))) / (DELTAS_PER_SECOND * DELTA_CHARACTERS)) * 1000;
    return lostMs;
  };
  // A long answer is drawn in steps.
  await expect.poll(measure, `lost of the answer in round ${round}`).toBeLessThanOrEqual(MAX_LOSS_MS);
  return { next, lostMs };
}

/** Characters of this round's words on the screen. */
async function lengthOf(answer: Locator, round: number): Promise<number> {
  const text = (await answer.textContent()) ?? '';
  return (text.match(new RegExp(`w${round}x\\d+`, 'g')) ?? []).join(' ').length;
}
