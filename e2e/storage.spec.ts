import type { Page } from '@playwright/test';
import { expect, test } from './support/app';
import { createHold } from './support/replay-server';

/** A page of the same origin that runs nothing of the app. */
const BESIDE = '/icon.svg';

/** Opens the database as a stranger would, and holds on to it. */
async function hold(page: Page, nativeVersion: number): Promise<void> {
  await page.evaluate(
    (version) =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open('jackdaw', version);
        request.onsuccess = () => {
          Reflect.set(window, 'held', request.result);
          resolve();
        };
      }),
    nativeVersion,
  );
}

/** From now on (or no longer) the disk is full: every write of the page and its worker ends as the browser ends one then. */
async function fillDisk(page: Page, isFull: boolean): Promise<void> {
  const apply = (full: boolean): void => {
    for (const name of ['put', 'add'] as const) {
      const original: unknown = Reflect.get(globalThis, `original-${name}`) ?? IDBObjectStore.prototype[name];
      Reflect.set(globalThis, `original-${name}`, original);
      const refuse = (): never => {
        throw new DOMException('The disk is full.', 'QuotaExceededError');
      };
      Reflect.set(IDBObjectStore.prototype, name, full ? refuse : original);
    }
  };
  await page.evaluate(apply, isFull);
  for (const worker of page.workers()) await worker.evaluate(apply, isFull);
}

test('a full disk is told, the words stay, and sending works once there is space', async ({ app, page, server }) => {
  await app.open();
  await app.connect();
  await app.ask('While there is space');
  await fillDisk(page, true);
  await app.composer.fill('Nowhere to put this');
  await app.composer.press('Enter');
  await expect(page.getByRole('alert').getByText('The browser has no space left for Jackdaw.')).toBeVisible();
  await expect(app.composer).toHaveValue('Nowhere to put this');
  await app.accessible();
  await fillDisk(page, false);
  await app.composer.press('Enter');
  await expect(app.message(3)).toContainText('Echo: Nowhere to put this');
  expect(server.requests.filter((request) => request.path.endsWith('/chat/completions'))).toHaveLength(2);
});

test('a disk that fills up in mid-answer loses nothing that is on the screen', async ({ app, page, server }) => {
  await app.open();
  await app.connect();
  const hold = createHold();
  server.enqueue({ type: 'text', text: 'The first half and the second half.', deltaSize: 15, hold: { afterDeltas: 1, hold } });
  await app.send('Tell me');
  await expect(app.message(1)).toContainText('The first half');
  await fillDisk(page, true);
  hold.release();
  await expect(app.message(1)).toContainText('The first half and the second half.');
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('The browser has no space left for Jackdaw.');
  await expect(app.stop).toHaveCount(0);
  await expect(app.message(1)).toContainText('The first half and the second half.');
  await fillDisk(page, false);
  await app.ask('Once more');
  await expect(app.message(3)).toContainText('Echo: Once more');
  await page.reload();
  await expect(app.message(1)).toContainText('The first half and the second half.');
});

test('a tab whose version is too old says so and offers to reload', async ({ app, context }) => {
  await app.open();
  const newer = await context.newPage();
  await newer.goto(BESIDE);
  await hold(newer, 1_000_000);
  await expect(app.page.getByRole('button', { name: 'Reload' })).toBeVisible();
  await app.accessible();
});

test('a database that another tab holds back is told at once', async ({ app, context, page }) => {
  const older = await context.newPage();
  await older.goto(BESIDE);
  await hold(older, 1);
  await page.goto('/');
  await expect(page.getByRole('heading')).toContainText(/another tab/i);
  await app.accessible();
  // Once the other tab lets go, the app opens by itself.
  await older.close();
  await expect(app.composer).toBeVisible();
});
