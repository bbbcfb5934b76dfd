import type { Page } from '@playwright/test';
import { App, expect, test as base } from './support/app';
import { forgetHttpCache, lookForUpdate, settled, startDeployedHost, type DeployedHost } from './support/deployed-host';
import { createProfile, startOwnBrowser } from './support/own-browser';
import { createHold } from './support/replay-server';
import { RICH_ANSWER } from './support/texts';

/** A page of the same origin that runs nothing of the app. */
const BESIDE = '/icon.svg';

/** With a host of its own, on which a test deploys. */
const test = base.extend<{ host: DeployedHost }>({
  host: async ({}, use) => {
    const host = await startDeployedHost();
    await use(host);
    await host.close();
  },
  baseURL: async ({ host }, use) => use(host.url),
});

// Pages are kept for going back, as browsers do; Playwright turns that off, because most tests could not bear it.
test.use({
  launchOptions: async ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
});

const notices = (page: Page) => page.getByRole('region', { name: 'Notices' });
const updateButton = (page: Page) => page.getByRole('button', { name: 'Update now' });
const secondBuild = (page: Page) => page.locator('html[data-build="second"]');

/** Marks the page, so that a reload shows. */
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => Reflect.set(window, 'isMarked', true));
}

async function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => Reflect.get(window, 'isMarked') === true);
}

/** Opens the app under its service worker, connected. */
async function start(app: App): Promise<void> {
  await app.open();
  await settled(app.page);
  await app.connect();
}

/** Takes the new version in a tab that is open already. */
async function update(page: Page): Promise<void> {
  await lookForUpdate(page);
  await updateButton(page).click();
  await expect(secondBuild(page)).toHaveCount(1);
}

test.describe('an update', () => {
  test('waits for the answer and for someone who is writing', async ({ app, server, page, host }) => {
    await start(app);
    const hold = createHold();
    server.enqueue({ type: 'text', text: 'The first half and the second half.', deltaSize: 15, hold: { afterDeltas: 1, hold } });
    await app.send('Tell me');
    await expect(app.message(1)).toContainText('The first half');
    await mark(page);
    await host.deploy('second');
    await lookForUpdate(page);
    await expect(notices(page)).toContainText('A new version is ready.');
    await app.accessible();
    await updateButton(page).click();
    await expect(notices(page)).toContainText('starts as soon as no answer is running');
    await app.accessible();
    await app.composer.fill('What I say next');
    hold.release();
    await expect(app.message(1)).toContainText('The first half and the second half.');
    await app.atRest();
    // The yes was given to another moment: now it would take the page from under the words.
    await expect(updateButton(page)).toBeVisible();
    expect(await isMarked(page)).toBe(true);
    await expect(secondBuild(page)).toHaveCount(0);

    // Words that were typed a moment ago are kept as well.
    await app.composer.press('End');
    await app.composer.pressSequentially(', and more');
    await updateButton(page).click();
    await expect(secondBuild(page)).toHaveCount(1);
    await expect(app.composer).toHaveValue('What I say next, and more');
    await expect(app.message(1)).toContainText('The first half and the second half.');
    await expect(app.message(1)).toHaveAttribute('data-status', 'complete');
    expect(server.closed).toHaveLength(0);
  });

  test('that was said yes to comes by itself at the end of the answer', async ({ app, server, page, host }) => {
    await start(app);
    const hold = createHold();
    server.enqueue({ type: 'text', text: 'The first half and the second half.', deltaSize: 15, hold: { afterDeltas: 1, hold } });
    await app.send('Tell me');
    await expect(app.message(1)).toContainText('The first half');
    await host.deploy('second');
    await lookForUpdate(page);
    await updateButton(page).click();
    await expect(notices(page)).toContainText('starts as soon as no answer is running');
    hold.release();
    await expect(secondBuild(page)).toHaveCount(1);
    await expect(app.message(1)).toContainText('The first half and the second half.');
    await expect(app.message(1)).toHaveAttribute('data-status', 'complete');
  });

  test('waits for an answer in another tab, which stays as it is and gets its own offer', async ({ app, server, page, host, context }) => {
    await start(app);
    const other = new App(await context.newPage(), server);
    await other.open();
    const hold = createHold();
    server.enqueue({ type: 'text', text: 'The first half and the second half.', deltaSize: 15, hold: { afterDeltas: 1, hold } });
    await other.send('Tell me');
    await expect(other.message(1)).toContainText('The first half');
    await mark(other.page);
    await host.deploy('second');
    await lookForUpdate(page);
    await updateButton(page).click();
    await expect(notices(page)).toContainText('starts as soon as no answer is running');
    await expect(secondBuild(page)).toHaveCount(0);
    hold.release();
    await expect(secondBuild(page)).toHaveCount(1);
    await expect(other.message(1)).toContainText('The first half and the second half.');
    expect(await isMarked(other.page)).toBe(true);
    await updateButton(other.page).click();
    await expect(secondBuild(other.page)).toHaveCount(1);
    await expect(other.message(1)).toContainText('The first half and the second half.');
  });

  test('is found by a page that stays open', async ({ app, page, host }) => {
    await app.open();
    await settled(page);
    // Registered, and so looking from now on.
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated');
    await host.deploy('second');
    await page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect(updateButton(page)).toHaveCount(0);
    await page.clock.setFixedTime(Date.now() + 3_700_000);
    await expect(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await expect(updateButton(page)).toBeVisible({ timeout: 1000 });
    }).toPass();
  });

  test('that took a file away reloads nobody who is writing', async ({ app, page }) => {
    await app.open();
    await mark(page);
    await app.composer.fill('Half a sentence');
    await page.evaluate(() => window.dispatchEvent(new Event('vite:preloadError', { cancelable: true })));
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    expect(await isMarked(page)).toBe(true);
    await app.composer.fill('');
    const reloaded = page.waitForEvent('load');
    await page.evaluate(() => window.dispatchEvent(new Event('vite:preloadError', { cancelable: true })));
    await reloaded;
  });
});

test.describe('two versions at once', () => {
  test('the older tab finds its files, and the two watch each other', async ({ app, server, page, host, context }) => {
    await start(app);
    await app.ask('Before the update');
    await mark(page);
    const newer = new App(await context.newPage(), server);
    await newer.open();
    await host.deploy('second');
    await update(newer.page);
    await forgetHttpCache(page);

    // Formulas and colours, the form of an edit, and a worker that has to be started again: all of it is loaded only now.
    server.enqueue({ type: 'text', text: RICH_ANSWER });
    await app.ask('Draw everything');
    await expect(app.message(3).locator('.katex')).toHaveCount(2);
    await expect(app.message(3).locator('pre code span[class]').first()).toBeVisible();
    await app.message(2).getByRole('button', { name: /^Edit/ }).click();
    await expect(app.message(2).getByRole('textbox')).toHaveValue('Draw everything');
    await app.message(2).getByRole('textbox').press('Escape');
    await page
      .workers()
      .find((worker) => worker.url().includes('generation'))
      ?.evaluate(() => self.close());
    const hold = createHold();
    server.enqueue({ type: 'text', text: 'The first half and the second half.', deltaSize: 15, hold: { afterDeltas: 1, hold } });
    await app.send('From the older tab');
    await expect(app.message(5)).toContainText('The first half');
    expect(await isMarked(page)).toBe(true);

    await newer.page.goto(page.url());
    await expect(newer.message(5)).toContainText('The first half');
    await newer.stop.click();
    await app.atRest();
    await newer.ask('From the newer tab');
    await expect(app.message(7)).toContainText('Echo: From the newer tab');
    await expect(secondBuild(page)).toHaveCount(0);
  });

  test('files that no tab needs are thrown away', async ({ app, server, page, host, context }) => {
    const kept = (on: Page) =>
      on.evaluate(async () => (await (await caches.open('lazy-v1')).keys()).filter(({ url }) => url.includes('/assets/')).length);
    await app.open();
    await settled(page);
    await host.deploy('second');
    await update(page);
    expect(await kept(page)).toBeGreaterThan(20);
    await page.close();
    const next = new App(await context.newPage(), server);
    await next.open();
    await expect.poll(() => kept(next.page)).toBe(0);
  });

  test('a tab whose database was made newer says so and keeps its words', async ({ app, server, page, host, context }) => {
    await start(app);
    await app.ask('One question');
    await app.composer.fill('Saved words');
    const newer = new App(await context.newPage(), server);
    await newer.open();
    await host.deploy('second', { isSchemaNewer: true });
    await lookForUpdate(newer.page);
    await expect(updateButton(newer.page)).toBeVisible();
    await app.composer.pressSequentially(' and some that were typed a moment ago');
    await updateButton(newer.page).click();
    await expect(secondBuild(newer.page)).toHaveCount(1);
    await expect(notices(page)).toContainText('This tab is out of date');
    await app.accessible();
    await app.composer.pressSequentially(', and later');
    await expect(app.message(1)).toContainText('Echo: One question');
    await app.composer.press('Enter');
    await expect(page.getByRole('alert')).toContainText('This tab is out of date');
    await expect(app.composer).toHaveValue('Saved words and some that were typed a moment ago, and later');
    await notices(page).getByRole('button', { name: 'Reload' }).click();
    await expect(secondBuild(page)).toHaveCount(1);
    await expect(app.composer).toHaveValue('Saved words and some that were typed a moment ago, and later');
    await app.composer.press('Enter');
    await expect(app.message(3)).toContainText('Echo: Saved words and some');
  });

  test('a reload out of an older version brings the newer one, also where that waits', async ({ app, server, page, host, context }) => {
    await start(app);
    await app.ask('One question');
    await host.deploy('second', { isSchemaNewer: true });
    await lookForUpdate(page);
    await expect(updateButton(page)).toBeVisible();
    // Past the service worker, as a forced reload goes: the newer version comes to the data while the older one still serves the app.
    const forced = await context.newPage();
    const client = await context.newCDPSession(forced);
    await client.send('Network.enable');
    await client.send('Network.setBypassServiceWorker', { bypass: true });
    await forced.goto(host.url);
    await expect(secondBuild(forced)).toHaveCount(1);
    await expect(notices(page)).toContainText('This tab is out of date');
    const late = new App(await context.newPage(), server);
    await late.page.goto(page.url());
    await expect(late.page.getByRole('alert')).toContainText('This tab is out of date');
    await late.page.getByRole('button', { name: 'Reload' }).click();
    await expect(secondBuild(late.page)).toHaveCount(1);
    await expect(late.message(1)).toContainText('Echo: One question');
  });

  test('what another version says is understood or left alone', async ({ app, server, page, context }) => {
    await start(app);
    await app.ask('One question');
    const stranger = await context.newPage();
    await stranger.goto(BESIDE);
    const answers = await stranger.evaluate(async (conversationId) => {
      const channel = new BroadcastChannel('jackdaw-workers');
      const heard: unknown[] = [];
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => heard.push(data));
      // It lives, so that it is not taken for a tab that is gone.
      await new Promise<void>((held) => {
        void navigator.locks.request('worker:generation-other', () => {
          held();
          return new Promise(() => undefined);
        });
      });
      const run = { conversationId, runId: 'r', nodeId: 'n', revision: 1, phase: 'pondering', parts: [{ type: 'hologram' }] };
      const events = ['run-start', 'run-delta', 'run-end', 'notice', 'weather', 'toString'];
      const messages: unknown[] = [
        ...events.map((name) => ({ type: 'event', name, payload: run })),
        ...events.map((name) => ({ type: 'event', name, payload: null })),
        { type: 'call', id: 1, name: 'watch', args: { conversationId } },
        { type: 'call', id: 2, name: 'dance', args: null },
        { type: 'failure', id: 3, error: { code: 'from-the-future', retryable: false, details: {} } },
        { type: 'telepathy' },
        null,
      ];
      for (const message of messages) channel.postMessage({ from: 'generation-other', to: '*', protocol: 99, message });
      for (const name of ['weather', 'toString'])
        channel.postMessage({ from: 'generation-other', to: '*', protocol: 1, message: { type: 'event', name, payload: run } });
      for (const odd of [null, 'hello', {}, { from: 1, to: '*', protocol: 1, message: {} }, { from: 'x', to: '*', message: {} }])
        channel.postMessage(odd);
      while (heard.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
      return heard;
    }, new URL(page.url()).hash.slice('#/c/'.length));
    // Whoever asks does not wait for ever.
    expect(answers).toEqual([
      expect.objectContaining({ message: expect.objectContaining({ type: 'failure', id: 1 }) }),
      expect.objectContaining({ message: expect.objectContaining({ type: 'failure', id: 2 }) }),
    ]);
    await app.ask('Another question');
    await expect(app.message(3)).toContainText('Echo: Another question');
    await expect(notices(page)).not.toContainText(/wrong|react/);
    expect(server.requests.filter((request) => request.path.endsWith('/chat/completions'))).toHaveLength(2);
  });
});

/** Away with the database, as another tab or a person at the developer tools does it. */
async function deleteDatabase(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('jackdaw');
        request.onsuccess = () => resolve();
        request.onerror = () => reject(new Error('could not delete the database'));
      }),
  );
}

/** As the browser clears what a site has stored: connections are cut, and nobody is asked. */
async function clearSite(page: Page, storageTypes: 'indexeddb' | 'all'): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes });
  await client.detach();
}

const databases = (page: Page) => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));

test.describe('storage that was cleared', () => {
  test('is told at the next start until somebody takes note, and choices are kept', async ({ app, page }) => {
    await start(app);
    await app.ask('Something to lose');
    await page.goto('/#/settings/appearance');
    await page.getByLabel('Theme').selectOption('dark');
    await page.goto(BESIDE);
    await deleteDatabase(page);
    await app.open();
    await expect(notices(page)).toContainText('The conversations kept in this browser are gone');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await app.accessible();
    await page.reload();
    await expect(notices(page)).toContainText('The conversations kept in this browser are gone');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await notices(page).getByRole('button', { name: 'Import a backup' }).click();
    await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Ask for protection' })).toBeVisible();
    await page.goto('/#/');
    await page.reload();
    await expect(page.getByText('No conversations yet')).toBeVisible();
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await expect(notices(page)).not.toContainText('gone');
  });

  test('is not what somebody deleted by hand', async ({ app, page }) => {
    await start(app);
    await app.ask('Something to delete');
    await page.getByRole('button', { name: /^Options for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByText('No conversations yet')).toBeVisible();
    // What the minute after a deletion does: the rows go, a tombstone stays.
    await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('jackdaw');
        request.onsuccess = () => resolve(request.result);
      });
      const transaction = database.transaction(['conversations', 'tombstones'], 'readwrite');
      transaction.objectStore('conversations').clear();
      transaction
        .objectStore('tombstones')
        .put({ id: 'c', kind: 'conversation', parentId: null, conversationId: 'c', deletedAt: 1, clock: {} });
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      database.close();
    });
    await page.goto('/#/');
    await page.reload();
    await expect(page.getByText('No conversations yet')).toBeVisible();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('jackdaw:kept'))).toBeNull();
    await expect(notices(page)).not.toContainText('gone');
  });

  for (const [how, clear] of [
    [
      'by another tab',
      async (app: App) => {
        const other = await app.page.context().newPage();
        await other.goto(new URL(BESIDE, app.page.url()).href);
        await deleteDatabase(other);
      },
    ],
    ['by the browser', async (app: App) => clearSite(app.page, 'indexeddb')],
    ['by the browser, with everything of the site', async (app: App) => clearSite(app.page, 'all')],
  ] as const) {
    test(`while it is open (${how}) is told; the page and the words stay`, async ({ app, page }) => {
      await start(app);
      await app.ask('Something to lose');
      await app.composer.pressSequentially('Words in the composer');
      await clear(app);
      await expect(notices(page)).toContainText('has just been deleted');
      await expect(app.composer).toHaveValue('Words in the composer');
      await expect(app.message(1)).toContainText('Echo: Something to lose');
      await app.accessible();
      await app.composer.press('Enter');
      await expect(page.getByRole('alert')).toContainText('has just been deleted');
      await expect(app.composer).toHaveValue('Words in the composer');
      await expect(app.message(1)).toContainText('Echo: Something to lose');
      expect(await databases(page)).not.toContain('jackdaw');

      await notices(page).getByRole('button', { name: 'Reload' }).click();
      await expect(page.getByText('This conversation is not here.')).toBeVisible();
      if (!how.includes('everything')) await expect(notices(page)).toContainText('The conversations kept in this browser are gone');
    });
  }

  test('during an answer leaves the answer on the page', async ({ app, server, page }) => {
    await start(app);
    const hold = createHold();
    server.enqueue({ type: 'text', text: 'The first half and the second half.', deltaSize: 15, hold: { afterDeltas: 1, hold } });
    await app.send('Tell me');
    await expect(app.message(1)).toContainText('The first half');
    await clearSite(page, 'indexeddb');
    await expect(notices(page)).toContainText('has just been deleted');
    hold.release();
    await expect(app.message(1)).toContainText('The first half and the second half.');
    await expect(app.stop).toHaveCount(0);
    expect(await databases(page)).not.toContain('jackdaw');
  });

  test('is less likely: protection is asked for once, after the first message', async ({ app, page }) => {
    await page.addInitScript(() => {
      const asked = (): void => localStorage.setItem('asked', String(Number(localStorage.getItem('asked')) + 1));
      navigator.storage.persist = () => {
        asked();
        return Promise.resolve(false);
      };
    });
    const asked = () => page.evaluate(() => localStorage.getItem('asked'));
    await start(app);
    expect(await asked()).toBeNull();
    await app.ask('First');
    await expect.poll(asked).toBe('1');
    await app.ask('Second');
    await page.reload();
    await expect(app.composer).toBeVisible();
    expect(await asked()).toBe('1');
  });
});

test.describe('a page that the browser puts to sleep', () => {
  test('frozen in mid-answer has the whole answer when it is woken', async ({ server, host }) => {
    const profile = await createProfile();
    const browser = await startOwnBrowser(profile.folder);
    try {
      const app = new App(browser.page, server, host.url.replace(/\/$/, ''));
      await app.open();
      await app.connect();
      const words = Array.from({ length: 150 }, (_, index) => `w${index}`).join(' ');
      server.enqueue({ type: 'text', text: words, deltaSize: 8, tokensPerSecond: 30 });
      await app.send('Tell me');
      await expect(app.message(1)).toContainText('w20');
      const client = await browser.page.context().newCDPSession(browser.page);
      await client.send('Page.setWebLifecycleState', { state: 'frozen' });
      const shown = () => browser.page.evaluate(() => document.querySelector('[data-node]:last-of-type')?.textContent?.length ?? 0);
      const before = await shown();
      // All the rest of the answer is sent meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect(await shown()).toBe(before);
      await client.send('Page.setWebLifecycleState', { state: 'active' });
      await expect(app.message(1)).toContainText('w149');
      await app.atRest();
      await expect(app.message(1)).toHaveAttribute('data-status', 'complete');
      await app.ask('Are you there?');
      await expect(app.message(3)).toContainText('Echo: Are you there?');
    } finally {
      await browser.kill();
      await profile.remove();
    }
  });

  test.describe('kept for going back', () => {
    for (const [when, isReleasedAway] of [
      ['there', false],
      ['away', true],
    ] as const) {
      test(`shows the answer live again that ended while the reader was ${when}`, async ({ app, server, page }) => {
        await app.open();
        await settled(page);
        await page.reload();
        await app.connect();
        const hold = createHold();
        server.enqueue({ type: 'text', text: 'The first half and the second half.', deltaSize: 15, hold: { afterDeltas: 1, hold } });
        await app.send('Tell me');
        await expect(app.message(1)).toContainText('The first half');
        await mark(page);
        await app.composer.fill('Half a sentence');
        await page.goto(BESIDE, { waitUntil: 'commit' });
        if (isReleasedAway) hold.release();
        await page.evaluate(() => history.back());
        await expect(app.message(1)).toContainText('The first half');
        expect(await isMarked(page), 'the page itself came back').toBe(true);
        await expect(app.composer).toHaveValue('Half a sentence');
        hold.release();
        await expect(app.message(1)).toContainText('The first half and the second half.');
        await app.atRest();
        await expect(app.message(1)).toHaveAttribute('data-status', 'complete');
        await app.composer.fill('');
        await app.ask('Are you there?');
        await expect(app.message(3)).toContainText('Echo: Are you there?');
        expect(server.closed).toHaveLength(0);
      });
    }

    test('makes way for another tab, which keeps what was saved and goes on', async ({ app, server, page, context }) => {
      await start(app);
      const hold = createHold();
      server.enqueue({ type: 'text', text: 'Saved before the end', deltaSize: 12, hold: { afterDeltas: 1, hold } });
      await app.send('Tell me');
      await expect(app.message(1)).toContainText('Saved before');
      await app.savedUpTo('Saved before');
      const address = page.url();
      await page.goto(BESIDE, { waitUntil: 'commit' });
      const other = new App(await context.newPage(), server);
      await other.page.goto(address);
      await expect(other.message(1)).toContainText('Saved before');
      await other.atRest();
      await other.ask('Are you there?');
      await expect(other.message(3)).toContainText('Echo: Are you there?');
      await page.evaluate(() => history.back());
      await expect(app.message(1)).toHaveAttribute('data-status', 'interrupted');
      await expect(app.message(3)).toContainText('Echo: Are you there?');
    });
  });
});
