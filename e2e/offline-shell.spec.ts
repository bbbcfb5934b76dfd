import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { serve } from '../scripts/server.mjs';

const composer = (page: Page) => page.locator('[data-bench="composer"]');

/** Opens the app and waits until everything it needs without a network is kept. */
async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(composer(page)).toBeVisible();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** Complaints of the browser that a reader of its console would see. */
function listenForTrouble(page: Page): string[] {
  const trouble: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text());
  });
  page.on('pageerror', (error) => trouble.push(error.message));
  return trouble;
}

test('starts without a network, under the policy', async ({ page, context }) => {
  const trouble = listenForTrouble(page);
  await visit(page, '/');
  await context.setOffline(true);
  await page.reload();
  await composer(page).fill('written offline');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  // From a timer: the policy does not hold for what the test itself evaluates.
  const evaluated = await page.evaluate(
    () =>
      new Promise<string>((done) => {
        setTimeout(() => {
          try {
            done(String((0, eval)('"ran"')));
          } catch (error) {
            done(error instanceof Error ? error.name : 'unknown');
          }
        });
      }),
  );
  expect(evaluated).toBe('EvalError');
  expect(trouble.filter((text) => !/eval/i.test(text))).toEqual([]);

  await page.goto('/some/deep/path?x=1');
  await expect(composer(page)).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
});

test.describe('on other hosts', () => {
  let folder = '';
  let host: Awaited<ReturnType<typeof serve>>;

  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jackdaw-host-'));
    await cp('dist', folder, { recursive: true });
    host = await serve({ folder, port: 0, basePath: '/sub/path/', sendsHeaders: false });
  });

  test.afterEach(async () => {
    await host.close();
    await rm(folder, { recursive: true });
  });

  test('works in a folder of a host that sends no headers, and is isolated from the second visit on', async ({ page, context }) => {
    const trouble = listenForTrouble(page);
    await visit(page, host.url);
    await page.reload();
    await expect(composer(page)).toBeVisible();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await context.setOffline(true);
    await page.goto(`${host.url}some/deep/path`);
    await expect(composer(page)).toBeVisible();
    expect(page.url()).toBe(host.url);
    expect(trouble).toEqual([]);
  });

  test('takes a new version when the user says so, not before', async ({ page }) => {
    await visit(page, host.url);
    const secondBuild = page.locator('html[data-build="second"]');

    // A second build in small: another page, and another revision of it in the worker's list.
    const index = join(folder, 'index.html');
    await writeFile(index, (await readFile(index, 'utf8')).replace('<html lang="en">', '<html lang="en" data-build="second">'));
    const worker = join(folder, 'service-worker.js');
    const list = await readFile(worker, 'utf8');
    await writeFile(worker, list.replace(/"revision":"\w+","url":"index\.html"/, '"revision":"second","url":"index.html"'));

    await page.reload();
    const update = page.getByRole('button', { name: 'Update now' });
    await expect(update).toBeVisible();
    await expect(secondBuild).toHaveCount(0);
    await page.reload();
    await expect(update).toBeVisible();
    await expect(secondBuild).toHaveCount(0);

    await update.click();
    await expect(secondBuild).toBeVisible();
    await expect(composer(page)).toBeVisible();
  });

  test('reloads once when a file of the open build is gone', async ({ page }) => {
    let loads = 0;
    page.on('load', () => loads++);
    await visit(page, host.url);
    const reloaded = page.waitForEvent('load');
    await page.evaluate(() => {
      setTimeout(() => window.dispatchEvent(new Event('vite:preloadError', { cancelable: true })));
    });
    await reloaded;
    await expect(composer(page)).toBeVisible();
    // The second time the app shows what failed instead: the event is left to it.
    const isLeft = await page.evaluate(() => window.dispatchEvent(new Event('vite:preloadError', { cancelable: true })));
    expect(isLeft).toBe(true);
    expect(loads).toBe(2);
  });
});
