import { readFile } from 'node:fs/promises';
import { serve } from '../scripts/server.mjs';
import { App, expect, test } from './support/app';
import { RICH_ANSWER } from './support/texts';

/** Everything of the first browser profile, as a file. */
async function exported(app: App): Promise<string> {
  await app.page.goto('/#/settings/data');
  const download = app.page.waitForEvent('download');
  await app.page.getByRole('button', { name: 'Export everything' }).click();
  return (await download).path();
}

async function drawnInFull(app: App): Promise<void> {
  const answer = app.message(1);
  await expect(answer.getByRole('table')).toContainText('240 g');
  await expect(answer.locator('pre code span[class]').first()).toBeVisible();
  await expect(answer.locator('.katex')).toHaveCount(2);
  await expect.poll(() => app.page.evaluate(() => document.fonts.check('16px KaTeX_Main'))).toBe(true);
  const diagram = answer.getByRole('img', { name: /^flowchart/ });
  await expect.poll(() => diagram.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))).toBeGreaterThan(100);
}

test('after one idle visit the app works with no server of its own and no network', async ({ app, server, browser }) => {
  await app.open();
  await app.connect();
  server.enqueue({ type: 'text', text: RICH_ANSWER });
  await app.ask('Draw everything');
  await drawnInFull(app);
  const backup = await exported(app);

  // The first visit ever, of another profile, to a host that vanishes right after it.
  const host = await serve({ folder: 'dist', port: 0 });
  const context = await browser.newContext({ serviceWorkers: 'allow' });
  const visitor = new App(await context.newPage(), server);
  await visitor.open(host.url);
  await visitor.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await host.close();
  await visitor.page.reload();
  await expect(visitor.composer).toBeVisible();

  await visitor.page.goto(`${host.url}#/settings/data`);
  await visitor.page.locator('input[type="file"]').setInputFiles(backup);
  await expect(visitor.page.getByText(/^1 conversation · /)).toBeVisible();
  await context.setOffline(true);
  await visitor.page.goto(`${host.url}#/`);
  await visitor.page.reload();
  await visitor.page.getByRole('navigation').getByRole('link', { name: 'Draw everything' }).click();
  await drawnInFull(visitor);
  await visitor.accessible();

  // The emulated network outage cuts even this machine off; with it lifted, and the host still gone, a local server is reached.
  await context.setOffline(false);
  await visitor.page.reload();
  await visitor.ask('Are you there?');
  await expect(visitor.message(3)).toContainText('Echo: Are you there?');

  await visitor.page.goto(`${host.url}#/settings/accounts/new:custom`);
  await visitor.page.getByLabel('Name', { exact: true }).fill('Far away');
  await visitor.page.getByLabel('Address', { exact: true }).fill('https://models.example.com/v1');
  await visitor.page.getByLabel('Key', { exact: true }).fill('sk-far-0123456789');
  await visitor.page.getByRole('button', { name: 'Save', exact: true }).click();
  await visitor.page.goto(`${host.url}#/`);
  await visitor.page.getByRole('button', { name: /^Model:/ }).click();
  await visitor.page
    .getByRole('searchbox', { name: 'Search models' })
    .or(visitor.page.getByRole('combobox', { name: 'Search models' }))
    .fill('far-model');
  await visitor.page.getByText('Use “far-model”').last().click();
  await context.setOffline(true);
  await visitor.ask('Hello out there');
  await expect(visitor.message(1)).toContainText(/offline/i);
  await visitor.accessible();
  await context.close();
});

test('everything goes out and comes back: export, wipe, import', async ({ app, server, page }) => {
  await app.open();
  await app.connect();
  server.enqueue({ type: 'text', text: 'First.' }, { type: 'text', reasoning: 'Thinking.', text: 'Second.' });
  await app.ask('A question');
  await app
    .message(1)
    .getByRole('button', { name: /^Answer again/ })
    .click();
  await expect(app.message(1)).toContainText('Second.');
  await app.atRest();
  await page.goto('/#/');
  await app.composer.fill('an unsent draft');
  await page.goto('/#/settings/appearance');
  await page.getByLabel('Theme').selectOption('dark');
  const before = await rows(await exported(app));
  expect(JSON.stringify(before)).not.toContain('sk-test-0123456789');

  await page.goto('about:blank');
  await page.goto('/');
  await page.evaluate(async () => {
    localStorage.clear();
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase('jackdaw');
      request.onsuccess = resolve;
      request.onerror = reject;
    });
  });
  await page.reload();
  await expect(page.getByText('No conversations yet')).toBeVisible();
  await page.goto('/#/settings/data');
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'backup.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(await readFile(last)) });
  await expect(page.getByText(/^1 conversation · /)).toBeVisible();
  await app.accessible();
  expect(await rows(await exported(app))).toEqual(before);
  await page.getByRole('link', { name: 'A question' }).click();
  await expect(app.message(1)).toContainText('Second.');
  await expect(app.message(1)).toContainText('2/2');
});

let last = '';

/** Every row, in an order of its own; the header says when it was written and is left out. */
async function rows(path: string): Promise<unknown[]> {
  last = path;
  const [, ...lines] = (await readFile(path, 'utf8')).trim().split('\n');
  return lines.map((line): unknown => JSON.parse(line, sortKeys)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
