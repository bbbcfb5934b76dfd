import { scriptedGguf } from '../tests/support/scripted-gguf';
import { App, expect, test as base } from './support/app';
import { tabOf, workerOf } from './support/kills';
import { startModelHub, type ModelHub } from './support/model-hub';

/** In the catalogue, and here a script of some hundred kilobytes. */
const MODEL = 'SmolLM2 135M';
const FILE = 'bartowski/SmolLM2-135M-Instruct-GGUF/resolve/main/SmolLM2-135M-Instruct-Q8_0.gguf';

/** Another one of the catalogue. */
const LARGER = 'Qwen3 0.6B';
const LARGER_FILE = 'Qwen/Qwen3-0.6B-GGUF/resolve/main/Qwen3-0.6B-Q8_0.gguf';

const test = base.extend<{ hub: ModelHub }>({
  hub: async ({}, use) => {
    const hub = await startModelHub();
    hub.put(FILE, scriptedGguf());
    await use(hub);
    await hub.close();
  },
});

/** The settings page of the models on this device, with `hub` in place of the real one. */
async function openModels({ page }: App, hub: ModelHub): Promise<void> {
  await page.goto('/#/settings/models');
  const host = page.getByLabel('Where models come from');
  await host.fill(hub.url);
  await host.blur();
}

async function download(app: App, hub: ModelHub): Promise<void> {
  await openModels(app, hub);
  await app.page.getByRole('button', { name: `Download ${MODEL}` }).click();
  await expect(row(app).getByText('Ready')).toBeVisible();
  await app.page.getByRole('button', { name: `Use ${MODEL} for new chats` }).click();
  await expect(row(app).getByText('Used for new chats')).toBeVisible();
}

/** Addresses of everything that is asked for elsewhere than here and at the hub, from now on. */
function foreignRequests({ page }: App, hub: ModelHub): readonly string[] {
  const own = [new URL(page.url()).origin, new URL(hub.url).origin];
  const foreign: string[] = [];
  page.context().on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && !own.includes(url.origin)) foreign.push(url.href);
  });
  return foreign;
}

function row({ page }: App) {
  return page.getByRole('listitem', { name: MODEL });
}

test('a model is downloaded, answers, thinks, is stopped, and answers again', async ({ app, hub }) => {
  await app.open();
  const foreign = foreignRequests(app, hub);
  await download(app, hub);
  await app.page.goto('/#/');
  await app.ask('Say hello');
  await expect(app.message(-1)).toContainText('Hello from a scripted model.');
  await expect(app.message(-1)).toHaveAttribute('data-status', 'complete');
  await app.ask('Now think');
  await expect(app.message(-1)).toContainText('Done thinking;');
  await expect(app.message(-1)).not.toContainText('<think>');
  await app.send('Go on forever');
  await expect(app.message(-1)).toContainText('and on it goes, and on it goes,');
  await app.stop.click();
  await app.atRest();
  await expect(app.message(-1)).toHaveAttribute('data-status', 'interrupted');
  await app.ask('Say hello');
  await expect(app.message(-1)).toContainText('Hello from a scripted model.');
  expect(foreign).toEqual([]);
});

test('a tool that the model calls is a call in the thread', async ({ app, hub }) => {
  await app.open();
  await download(app, hub);
  await offerTool(app);
  await app.page.goto('/#/');
  await app.ask('How is the weather');
  await expect(app.message(-1)).toContainText('get_weather');
  await expect(app.message(-1)).not.toContainText('<tool_call>');
  await app.ask('Say hello');
  await expect(app.message(-1)).toContainText('Hello from a scripted model.');
});

/** Puts a tool into every request of the account of this device, as an extra entry of its body. */
async function offerTool({ page }: App): Promise<void> {
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('jackdaw');
      request.onsuccess = () => resolve(request.result);
    });
    const accounts = database.transaction('accounts', 'readwrite').objectStore('accounts');
    const row = await new Promise<{ body: object }>((resolve) => {
      const request: IDBRequest<{ body: object }> = accounts.get('this-device');
      request.onsuccess = () => resolve(request.result);
    });
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const tool = { type: 'function', function: { name: 'get_weather', description: 'The weather of a city', parameters } };
    await new Promise((resolve) => {
      accounts.put({ ...row, body: { ...row.body, body: { tools: [tool] } } }).onsuccess = resolve;
    });
    database.close();
  });
}

test('without a GPU its models say so, name one that fits, and offer no download', async ({ app }) => {
  await app.open();
  const { page } = app;
  await page.goto('/#/settings/models');
  await expect(page.getByText('There is no graphics processor that models could use.')).toBeVisible();
  await page.getByText(/models do not fit/).click();
  const gpu = page.getByRole('listitem', { name: 'SmolLM2 360M' }).filter({ hasText: 'Needs a graphics processor' });
  await expect(gpu).toContainText('Fits: SmolLM2 360M (Processor).');
  await expect(gpu.getByRole('button')).toHaveCount(0);
  await app.accessible();
});

test('with the model on this device everything goes on without a network, also after a reload', async ({ app, hub }) => {
  await app.open();
  await app.page.evaluate(() => navigator.serviceWorker.ready);
  await app.page.reload();
  await download(app, hub);
  await app.page.goto('/#/');
  await app.ask('Say hello');
  await app.page.context().setOffline(true);
  await hub.close();
  await app.page.reload();
  await expect(app.composer).toBeVisible();
  await app.ask('Say hello');
  await expect(app.message(-1)).toContainText('Hello from a scripted model.');
  await expect(app.message(-1)).toHaveAttribute('data-status', 'complete');
});

test('a second tab is answered by the engine of the first, and by its own once the first is closed', async ({ app, hub }) => {
  await app.open();
  await download(app, hub);
  await app.page.goto('/#/');
  await app.ask('Say hello');
  const second = new App(await app.page.context().newPage(), app.server);
  await second.open();
  await second.send('Go on forever');
  await expect(second.message(-1)).toContainText('and on it goes, and on it goes,');
  await app.send('Say hello');
  await expect(app.message(-1)).toContainText('Waiting until another answer is done');
  await second.stop.click();
  await second.atRest();
  await expect(app.message(-1)).toContainText('Hello from a scripted model.');
  await app.atRest();
  await app.page.close();
  await second.ask('Say hello');
  await expect(second.message(-1)).toContainText('Hello from a scripted model.');
});

test('the first tab is closed in the middle of an answer of the second: what came is kept, and it goes on from there', async ({
  app,
  hub,
}) => {
  await app.open();
  await download(app, hub);
  await app.page.goto('/#/');
  await app.ask('Say hello');
  const second = new App(await app.page.context().newPage(), app.server);
  await second.open();
  await second.send('Go on forever');
  await expect(second.message(-1)).toContainText('and on it goes, and on it goes,');
  await app.page.close();
  await expect(second.message(-1)).not.toHaveAttribute('data-status', 'running');
  await expect(second.message(-1)).toContainText('and on it goes, and on it goes,');
  await second.ask('Say hello');
  await expect(second.message(-1)).toContainText('Hello from a scripted model.');
});

test('a download is paused, goes on where it was, also after a reload, and is removed', async ({ app, hub }) => {
  hub.behave(FILE, { slow: { bytes: 16 * 1024, ms: 60 } });
  await app.open();
  await openModels(app, hub);
  const { page } = app;
  await page.getByRole('button', { name: `Download ${MODEL}` }).click();
  // Something has to have arrived, or there is nothing to go on from.
  await expect(row(app).getByText(/^Downloading: [1-9]\d/)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Download of ${MODEL}` })).toBeVisible();
  await expect.poll(() => hub.requests.filter((request) => request.includes('cdn/')).length).toBe(1);
  await row(app).getByRole('button', { name: 'Pause' }).click();
  await expect(row(app).getByText(/^Paused at /)).toBeVisible();
  await page.reload();
  await expect(row(app).getByText(/^Paused at /)).toBeVisible();
  hub.behave(FILE, {});
  await row(app).getByRole('button', { name: 'Go on' }).click();
  await expect(row(app).getByText('Ready')).toBeVisible();
  expect(hub.requests.at(-1)).toMatch(/^GET cdn\/.* bytes=\d{4,}-$/);
  await page.getByRole('button', { name: `Delete ${MODEL}` }).click();
  await expect(page.getByRole('button', { name: `Download ${MODEL}` })).toBeVisible();
  expect(await storedNames(app)).toEqual([]);
});

test('the offline lock ends a download, and not an answer of a model on this device', async ({ app, hub }) => {
  const { page } = app;
  await app.open();
  await download(app, hub);
  await page.goto('/#/');
  await app.send('Go on forever');
  await expect(app.message(-1)).toContainText('and on it goes, and on it goes,');
  const chat = page.url();
  hub.put(LARGER_FILE, scriptedGguf(), { slow: { bytes: 16 * 1024, ms: 200 } });
  await page.goto('/#/settings/models');
  await page
    .getByRole('button', { name: `Download ${LARGER}` })
    .first()
    .click();
  const larger = page.getByRole('listitem', { name: LARGER }).filter({ has: page.getByRole('progressbar') });
  await expect(larger.getByText(/^Downloading: [1-9]\d/)).toBeVisible();
  await page.goto('/#/settings/privacy');
  await page.getByRole('switch', { name: 'Offline lock' }).click();
  await page.goto('/#/settings/models');
  await expect(larger.getByRole('alert')).toContainText('The offline lock is on');
  await page.goto(chat);
  await expect(app.message(-1)).toHaveAttribute('data-status', 'running');
  const before = (await app.message(-1).textContent())?.length ?? 0;
  await expect.poll(async () => (await app.message(-1).textContent())?.length).toBeGreaterThan(before);
  await app.stop.click();
  await app.atRest();
});

const FAULTS = [
  ['a connection that breaks off', { cutAfter: 100_000 }, /connection broke off/],
  ['a start page in place of the file', { html: true }, /is not the model file that it should be/],
  ['a file that is not there', { status: 404 }, /.+/],
  ['a file of another hash', { sha256: '0'.repeat(64) }, /is not the model file that it should be/],
] as const;

for (const [what, behaviour, says] of FAULTS) {
  test(`${what} ends a download in words, and the next try works`, async ({ app, hub }) => {
    hub.behave(FILE, behaviour);
    await app.open();
    await openModels(app, hub);
    await app.page.getByRole('button', { name: `Download ${MODEL}` }).click();
    await expect(row(app).getByRole('alert')).toHaveText(says);
    hub.behave(FILE, {});
    await row(app).getByRole('button', { name: 'Go on' }).click();
    await expect(row(app).getByText('Ready')).toBeVisible();
  });
}

test('a disk that fills up says so, and the download goes on once there is space', async ({ app, hub }) => {
  await app.open();
  await openModels(app, hub);
  const { page } = app;
  const client = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  const { usage } = await client.send('Storage.getUsageAndQuota', { origin });
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 100_000 });
  await page.getByRole('button', { name: `Download ${MODEL}` }).click();
  await expect(row(app).getByRole('alert')).toHaveText(/no space left/);
  await client.send('Storage.overrideQuotaForOrigin', { origin });
  await row(app).getByRole('button', { name: 'Go on' }).click();
  await expect(row(app).getByText('Ready')).toBeVisible();
});

test('a file of the user’s own is taken in and answers; one that is no model is refused', async ({ app }) => {
  await app.open('/#/');
  await app.page.goto('/#/settings/models');
  const chooser = app.page.locator('input[type="file"]');
  await chooser.setInputFiles({ name: 'Holiday.gguf', mimeType: 'application/octet-stream', buffer: Buffer.from('a picture') });
  await expect(app.page.getByText('Holiday is not the model file that it should be.')).toBeVisible();
  await chooser.setInputFiles({ name: 'Mine.gguf', mimeType: 'application/octet-stream', buffer: Buffer.from(scriptedGguf()) });
  await app.page.getByRole('button', { name: 'Use Mine for new chats' }).click();
  await app.page.goto('/#/');
  await app.ask('Say hello');
  await expect(app.message(-1)).toContainText('Hello from a scripted model.');
});

test('a model at an address of the user’s own is fetched from there', async ({ app, hub }) => {
  hub.put('files/Own-Model.gguf', scriptedGguf());
  await app.open();
  await app.page.goto('/#/settings/models');
  const address = app.page.getByLabel('Address of a GGUF file');
  await address.fill('https://example.org/page.html');
  await address.press('Enter');
  await expect(app.page.getByText(/is not an address that can be used/)).toBeVisible();
  await address.fill(`${hub.url}files/Own-Model.gguf`);
  await address.press('Enter');
  await app.page.getByRole('button', { name: 'Use Own-Model for new chats' }).click();
  await app.page.goto('/#/');
  await app.ask('Say hello');
  await expect(app.message(-1)).toContainText('Hello from a scripted model.');
});

test.describe('killed', () => {
  test('in a download: what arrived is there, and it goes on', async ({ app, hub }) => {
    hub.behave(FILE, { slow: { bytes: 16 * 1024, ms: 60 } });
    await app.open();
    await openModels(app, hub);
    await app.page.getByRole('button', { name: `Download ${MODEL}` }).click();
    await expect(row(app).getByText(/^Downloading: \d{2,}/)).toBeVisible();
    const next = await tabOf(app).end(false);
    await expect(row(next).getByText(/^Paused at /)).toBeVisible();
    hub.behave(FILE, {});
    await row(next).getByRole('button', { name: 'Go on' }).click();
    await expect(row(next).getByText('Ready')).toBeVisible();
  });

  test('in a load: the model says so, is not loaded by itself, and works when it is asked', async ({ app, hub }) => {
    await app.open();
    await download(app, hub);
    await app.page.getByRole('switch', { name: 'Load the model when Jackdaw starts' }).click();
    await row(app).getByRole('button', { name: 'Load', exact: true }).click();
    await expect(row(app).getByText(/^Loading/)).toBeVisible();
    const next = await tabOf(app).end(false);
    await expect(row(next).getByText('The last time it was loaded')).toBeVisible();
    await next.page.goto('/#/');
    await next.ask('Say hello');
    await expect(next.message(-1)).toContainText('Hello from a scripted model.');
  });

  for (const [what, victimOf] of [
    ['the worker', workerOf],
    ['the tab', tabOf],
  ] as const) {
    test(`in the middle of an answer, ${what}: the words are kept, and the next question is answered`, async ({ app, hub }) => {
      await app.open();
      await download(app, hub);
      await app.page.goto('/#/');
      await app.send('Go on forever');
      await app.savedUpTo('and on it goes, and on it goes,');
      const next = await victimOf(app).end(false);
      await expect(next.message(-1)).toHaveAttribute('data-status', 'interrupted');
      await expect(next.message(-1)).toContainText('and on it goes, and on it goes,');
      await next.ask('Say hello');
      await expect(next.message(-1)).toContainText('Hello from a scripted model.');
    });
  }
});

test('a stored model is loaded at the start where the user wants that', async ({ app, hub }) => {
  await app.open();
  await download(app, hub);
  await app.page.getByRole('switch', { name: 'Load the model when Jackdaw starts' }).click();
  await app.page.reload();
  await expect(row(app).getByText('Loaded: answers at once')).toBeVisible();
  await row(app).getByRole('button', { name: 'Unload' }).click();
  await expect(row(app).getByText('Ready')).toBeVisible();
  await app.accessible();
});

/** Names of everything below the folder of models. */
async function storedNames({ page }: App): Promise<string[]> {
  return page.evaluate(async () => {
    const names: string[] = [];
    const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const entry of folder.values()) {
        names.push(entry.name);
        if (entry instanceof FileSystemDirectoryHandle) await walk(entry);
      }
    };
    const root = await navigator.storage.getDirectory();
    await walk(await root.getDirectoryHandle('local-models', { create: true }));
    return names;
  });
}
