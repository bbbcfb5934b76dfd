import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../scripts/server.mjs';
import { App, expect, test as base } from './support/app';
import { startModelHub, type ModelHub } from './support/model-hub';
import { createProfile, startOwnBrowser } from './support/own-browser';

const FOLDER = 'mlc-ai/SmolLM2-360M-Instruct-q4f32_1-MLC/resolve/main/';
const SHARD_BYTES = 200_000;

/** A browser with a GPU that the CPU plays, on a build whose GPU engine is a fake: no weights and no libraries can be had here. */
const test = base.extend<{ gpu: { readonly app: App; readonly hub: ModelHub } }>({
  gpu: async ({ server }, use) => {
    const hub = await startModelHub();
    const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
    hub.put(`${FOLDER}mlc-chat-config.json`, json({ tokenizer_files: ['tokenizer.json'] }));
    hub.put(`${FOLDER}tensor-cache.json`, json({ records: [{ dataPath: 'params_shard_0.bin', nbytes: SHARD_BYTES }] }));
    hub.put(`${FOLDER}tokenizer.json`, json({}));
    hub.put(`${FOLDER}params_shard_0.bin`, new Uint8Array(SHARD_BYTES), { slow: { bytes: 40_000, ms: 100 } });
    const folder = await buildWithFake();
    const host = await serve({ folder, port: 0 });
    const profile = await createProfile();
    const browser = await startOwnBrowser(profile.folder, ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']);
    await browser.page
      .context()
      .route('https://raw.githubusercontent.com/**', (route) =>
        route.fulfill({ body: 'library', headers: { 'access-control-allow-origin': '*' } }),
      );
    await use({ app: new App(browser.page, server, host.url.replace(/\/$/, '')), hub });
    await browser.kill();
    await profile.remove();
    await host.close();
    await rm(folder, { recursive: true });
    await hub.close();
  },
});

/** The build of the app with the one import of the GPU package led to the fake. */
async function buildWithFake(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'jackdaw-gpu-'));
  await cp('dist', folder, { recursive: true });
  const vendor = join(folder, 'vendor');
  const name = (await readdir(vendor)).find((file) => /^web-llm-.*\.js$/.test(file));
  if (name === undefined) throw new Error('no web-llm in the build');
  await rename(join(vendor, name), join(vendor, `real-${name}`));
  const fake = await readFile('e2e/support/fake-web-llm.js', 'utf8');
  await writeFile(join(vendor, name), fake.replace('./REAL_PACKAGE', `./real-${name}`));
  return folder;
}

const MODEL = 'SmolLM2 360M';

function row({ page }: App) {
  return page.getByRole('listitem', { name: MODEL }).filter({ hasText: 'Graphics processor' });
}

async function openModels(app: App, hub: ModelHub): Promise<void> {
  await app.open();
  await app.page.goto(`${new URL(app.page.url()).origin}/#/settings/models`);
  const host = app.page.getByLabel('Where models come from');
  await host.fill(hub.url);
  await host.blur();
}

test('a model of the GPU is downloaded, loaded, answers, is stopped, loses its device, and answers again', async ({
  gpu: { app, hub },
}) => {
  const { page } = app;
  await openModels(app, hub);
  await expect(page.getByText('Graphics are computed in software here')).toBeVisible();
  await expect(row(app).getByText('needs minutes for an answer')).toBeVisible();
  await row(app)
    .getByRole('button', { name: /^Download/ })
    .click();
  await expect(row(app).getByText(/^Downloading: .* of 200\.\d kB/)).toBeVisible();
  await expect(row(app).getByText('Ready')).toBeVisible();
  await row(app)
    .getByRole('button', { name: /for new chats/ })
    .click();
  await page.goto(`${new URL(page.url()).origin}/#/`);
  await app.send('Say something');
  await expect(app.message(-1)).toContainText(/Loading SmolLM2 360M… \d+\s?%/);
  await app.atRest();
  await expect(app.message(-1)).toContainText('From the GPU.');
  await app.send('Talk forever');
  await expect(app.message(-1)).toContainText('word3');
  await app.stop.click();
  await app.atRest();
  await expect(app.message(-1)).toHaveAttribute('data-status', 'interrupted');
  await app.send('Now lose the device');
  await expect(app.message(-1)).toContainText('The graphics processor stopped in the middle of the work.');
  await app.ask('Say something');
  await expect(app.message(-1)).toContainText('From the GPU.');
  await app.send('This is too long');
  await expect(app.message(-1)).toContainText('longer than this model can read');
  await app.ask('Say something');
  await expect(app.message(-1)).toContainText('From the GPU.');
});

test('a model that reads its prompt is stopped at once, and its engine is replaced', async ({ gpu: { app, hub } }) => {
  await openModels(app, hub);
  await row(app)
    .getByRole('button', { name: /^Download/ })
    .click();
  await row(app)
    .getByRole('button', { name: /for new chats/ })
    .click();
  await app.page.goto(`${new URL(app.page.url()).origin}/#/`);
  await app.send('Read for long');
  await expect(app.message(-1)).toContainText('SmolLM2 360M is reading');
  await app.stop.click();
  await app.atRest();
  await app.send('Say something');
  await expect(app.message(-1)).toContainText('Waiting until another answer is done');
  await expect(app.message(-1)).toContainText('From the GPU.');
});

const FAULTS = [
  ['a connection that breaks off', { cutAfter: 100_000 }, /connection broke off/],
  ['a start page in place of the weights', { html: true }, /is not the model file that it should be/],
  ['weights that are not there', { status: 404 }, /.+/],
] as const;

for (const [what, behaviour, says] of FAULTS) {
  test(`${what} ends a download of the GPU’s in words, and the next try works`, async ({ gpu: { app, hub } }) => {
    hub.behave(`${FOLDER}params_shard_0.bin`, behaviour);
    await openModels(app, hub);
    await row(app)
      .getByRole('button', { name: /^Download/ })
      .click();
    await expect(row(app).getByRole('alert')).toHaveText(says);
    hub.behave(`${FOLDER}params_shard_0.bin`, {});
    await row(app).getByRole('button', { name: 'Go on' }).click();
    await expect(row(app).getByText('Ready')).toBeVisible();
  });
}

test('a model of the GPU is removed from the package’s caches', async ({ gpu: { app, hub } }) => {
  const { page } = app;
  await openModels(app, hub);
  await row(app)
    .getByRole('button', { name: /^Download/ })
    .click();
  await expect(row(app).getByText('Ready')).toBeVisible();
  const stored = (): Promise<number> =>
    page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('webllm/'));
      const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return keys.flat().length;
    });
  expect(await stored()).toBe(5);
  await row(app)
    .getByRole('button', { name: `Delete ${MODEL}` })
    .click();
  await expect(row(app).getByRole('button', { name: /^Download/ })).toBeVisible();
  expect(await stored()).toBe(0);
});
