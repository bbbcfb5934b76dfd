import type { Page } from '@playwright/test';
import { expect, test, type App } from '../support/app';
import { answerOf, benchContent } from './material';
import { busySeconds, forgetTasks, keyToPaintMs, longestTaskMs, median, report, RUNS, untilLastWord, watchTasks } from './measure';

const MODEL = 'replay-model';
const LAST_WORD = 'END-OF-ANSWER';
const TOKENS = 4000;
const TYPED = 'sixty characters are typed while the answer is being written';
/** What a page does after it was loaded is no part of what comes next. */
const REST_MS = 1500;

async function ready(app: App): Promise<void> {
  await app.page.goto('/?bench=1');
  await app.page.waitForFunction(() => window.__bench !== undefined);
  await app.page.evaluate(async ({ baseUrl, model }) => window.__bench?.configure({ baseUrl, apiKey: 'sk-bench', model }), {
    baseUrl: app.server.url,
    model: MODEL,
  });
  await rested(app.page);
}

async function floorReady(page: Page): Promise<void> {
  await page.goto('/?floor=1');
  await page.waitForFunction(() => window.__floor !== undefined);
  await rested(page);
}

async function rested(page: Page): Promise<void> {
  await page.waitForTimeout(REST_MS);
  await busySeconds(page);
  await forgetTasks(page);
}

async function send(page: Page): Promise<void> {
  await page.evaluate(async () => window.__bench?.send('Write a long answer'));
}

/** Types slowly into what can be typed into while `writing` goes on. */
async function typeMeanwhile(page: Page, writing: Promise<unknown>): Promise<void> {
  await page.locator('[data-bench="composer"]').pressSequentially(TYPED, { delay: 400, timeout: 0 });
  await writing;
}

interface Paced {
  share: number;
  longest: number;
  key: number;
}

/** Share of the time that the main thread is busy, in percent, from the begin to the last word. */
async function paced(page: Page, begin: () => Promise<unknown>): Promise<Paced> {
  const before = await busySeconds(page);
  const startedAt = Date.now();
  await begin();
  await typeMeanwhile(page, untilLastWord(page, LAST_WORD, 100));
  const share = (((await busySeconds(page)) - before) / ((Date.now() - startedAt) / 1000)) * 100;
  return { share, longest: await longestTaskMs(page), key: await keyToPaintMs(page, TYPED.length) };
}

test.beforeEach(async ({ page }) => {
  await page.addInitScript(benchContent);
  await watchTasks(page);
});

test('stream: 4,000 tokens at 100 tokens/s while 60 characters are typed', async ({ app, server, page }) => {
  const text = answerOf(TOKENS);
  const runs: Paced[] = [];
  const floors: Paced[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await ready(app);
    server.enqueue({ type: 'text', text, tokensPerSecond: 100 });
    runs.push(await paced(page, () => send(page)));
    await floorReady(page);
    floors.push(await paced(page, () => page.evaluate((words) => void window.__floor?.pace(words, 100), text)));
  }
  const [share, floor] = [median(runs, (run) => run.share), median(floors, (run) => run.share)];
  report('stream at 100 tokens/s', {
    'main thread busy': `${share.toFixed(1)} %`,
    floor: `${floor.toFixed(1)} %`,
    ratio: (share / floor).toFixed(2),
    'longest task': `${median(runs, (run) => run.longest)} ms`,
    'key to paint p95': `${median(runs, (run) => run.key)} ms`,
  });
});

test('stream: the same answer as fast as the socket gives it', async ({ app, server, page }) => {
  const text = answerOf(TOKENS);
  const runs: { late: number; busy: number; longest: number }[] = [];
  const floors: { busy: number }[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await ready(app);
    server.enqueue({ type: 'text', text, deltaSize: 64 });
    const before = await busySeconds(page);
    await send(page);
    const drawnAt = await untilLastWord(page, LAST_WORD, 10);
    await page.waitForTimeout(REST_MS);
    runs.push({ late: drawnAt - server.answeredAt, busy: (await busySeconds(page)) - before, longest: await longestTaskMs(page) });
    await floorReady(page);
    const floorBefore = await busySeconds(page);
    await page.evaluate((words) => window.__floor?.draw(words), text);
    await untilLastWord(page, LAST_WORD, 10);
    await page.waitForTimeout(REST_MS);
    floors.push({ busy: (await busySeconds(page)) - floorBefore });
  }
  report('stream at once', {
    'last byte to last word': `${Math.round(median(runs, (run) => run.late))} ms`,
    'main thread': `${median(runs, (run) => run.busy).toFixed(2)} s`,
    floor: `${median(floors, (run) => run.busy).toFixed(2)} s`,
    'longest task': `${median(runs, (run) => run.longest)} ms`,
  });
});

/** Presses the button that shows the older alternative of the last message. Resolves with the milliseconds until its words are painted. */
async function switchBranch(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const last = (): Element | undefined => [...document.querySelectorAll('[data-node]')].at(-1);
    const startedAt = performance.now();
    last()?.querySelector<HTMLElement>('button[aria-label="Previous alternative"]')?.click();
    while (last()?.textContent.includes('An alternative.') !== true) await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const ms = performance.now() - startedAt;
    last()?.querySelector<HTMLElement>('button[aria-label="Next alternative"]')?.click();
    return ms;
  });
}

for (const [messages, branchPoints] of [
  [200, 0],
  [2000, 0],
  [10_000, 0],
  [10_000, 200],
] as const) {
  test(`open: a conversation of ${messages} messages, ${branchPoints} branch points`, async ({ app, page }) => {
    await ready(app);
    const ids = await page.evaluate(async (size) => window.__bench?.seed({ conversations: 1, ...size }), {
      messagesPerConversation: messages,
      branchPoints,
    });
    const runs: { opened: number; busy: number; longest: number; elements: number; switched: number }[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      await page.goto('/?bench=1');
      await page.waitForFunction(() => window.__bench !== undefined);
      await rested(page);
      const before = await busySeconds(page);
      const opened = await page.evaluate(
        async ({ id, lastWord }) => {
          const startedAt = performance.now();
          await window.__bench?.openConversation(id);
          for (;;) {
            const last = [...document.querySelectorAll('[data-node]')].at(-1);
            if (last?.textContent.includes(lastWord) === true && last.getBoundingClientRect().bottom <= innerHeight) break;
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          return performance.now() - startedAt;
        },
        { id: ids?.[0] ?? '', lastWord: `last-of-${messages - 1}` },
      );
      await page.waitForTimeout(REST_MS);
      const elements = await page.locator('*').count();
      const busy = (await busySeconds(page)) - before;
      const longest = await longestTaskMs(page);
      runs.push({ opened, busy, longest, elements, switched: branchPoints === 0 ? 0 : await switchBranch(page) });
      await page.waitForTimeout(500);
      await page.evaluate(() => (location.hash = '#/'));
    }
    report(`open ${messages} messages, ${branchPoints} branch points`, {
      'last message painted': `${Math.round(median(runs, (run) => run.opened))} ms`,
      'main thread': `${median(runs, (run) => run.busy).toFixed(2)} s`,
      'longest task': `${median(runs, (run) => run.longest)} ms`,
      elements: median(runs, (run) => run.elements),
      ...(branchPoints === 0 ? {} : { 'branch switch': `${Math.round(median(runs, (run) => run.switched))} ms` }),
    });
  });
}

test('cold: first load until the composer takes text', async ({ app, page }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto('/?bench=1');
  await app.composer.waitFor();
  await app.composer.fill('typed');
  const { usableMs, paintMs } = await page.evaluate(() => ({
    usableMs: Math.round(performance.now()),
    paintMs: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
  }));
  await expect(app.composer).toHaveValue('typed');
  report('cold load, CPU slowed four times', { 'first contentful paint': `${paintMs} ms`, 'composer takes text': `${usableMs} ms` });
});
