import { expect, test, type App } from '../support/app';
import { answerOf, benchContent } from './material';
import { busySeconds, longestTaskMs, report, watchTasks } from './measure';

const MODEL = 'replay-model';

async function ready(app: App): Promise<void> {
  await app.page.goto('/?bench=1');
  await app.page.waitForFunction(() => window.__bench !== undefined);
  await app.page.evaluate(async ({ baseUrl, model }) => window.__bench?.configure({ baseUrl, apiKey: 'sk-bench', model }), {
    baseUrl: app.server.url,
    model: MODEL,
  });
}

test.beforeEach(async ({ app }) => {
  await app.page.addInitScript(benchContent);
  await watchTasks(app.page);
});

test('stream: 4,000 tokens at 100 tokens/s while 60 characters are typed', async ({ app, server, page }) => {
  await ready(app);
  const text = answerOf(4000);
  server.enqueue({ type: 'text', text, tokensPerSecond: 100 });
  const before = await busySeconds(page);
  const startedAt = Date.now();
  await page.evaluate(async () => window.__bench?.send('Write a long answer'));
  await expect(page.locator('[data-node]')).toHaveCount(2);
  await app.composer.pressSequentially('sixty characters are typed while the answer is being written', { delay: 200 });
  await expect(page.getByText('END-OF-ANSWER')).toBeAttached({ timeout: 120_000 });
  const wall = (Date.now() - startedAt) / 1000;
  const busy = (await busySeconds(page)) - before;
  report('stream at 100 tokens/s', {
    'main thread busy': `${((busy / wall) * 100).toFixed(1)} %`,
    'longest task': `${await longestTaskMs(page)} ms`,
  });
});

test('stream: the same answer as fast as the socket gives it', async ({ app, server, page }) => {
  await ready(app);
  server.enqueue({ type: 'text', text: answerOf(4000), deltaSize: 64 });
  const before = await busySeconds(page);
  await page.evaluate(async () => window.__bench?.send('Write a long answer'));
  const startedAt = Date.now();
  await expect(page.getByText('END-OF-ANSWER')).toBeAttached({ timeout: 60_000 });
  report('stream at once', {
    'sent to last word': `${Date.now() - startedAt} ms`,
    'main thread': `${((await busySeconds(page)) - before).toFixed(2)} s`,
    'longest task': `${await longestTaskMs(page)} ms`,
  });
});

for (const messages of [200, 2000, 10_000]) {
  test(`open: a conversation of ${messages} messages`, async ({ app, page }) => {
    await ready(app);
    const ids = await page.evaluate(async (count) => window.__bench?.seed({ conversations: 1, messagesPerConversation: count }), messages);
    await page.reload();
    await page.waitForFunction(() => window.__bench !== undefined);
    const openedMs = await page.evaluate(
      async ({ id, lastWord }) => {
        const startedAt = performance.now();
        await window.__bench?.openConversation(id);
        while (!(document.querySelector('main')?.textContent ?? '').includes(lastWord))
          await new Promise((resolve) => requestAnimationFrame(resolve));
        return performance.now() - startedAt;
      },
      { id: ids?.[0] ?? '', lastWord: `last-of-${messages - 1}` },
    );
    report(`open ${messages} messages`, {
      'last message in the page': `${Math.round(openedMs)} ms`,
      'longest task': `${await longestTaskMs(page)} ms`,
      elements: await page.locator('*').count(),
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
