import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedGguf } from '../../tests/support/scripted-gguf';
import { test, type App } from '../support/app';
import { expect } from '@playwright/test';
import { recordThreads, type ThreadTime } from '../support/threads';
import { median, report } from './measure';

// Each run fills the window, some four thousand tokens.
const RUNS = 3;
const QUESTION = 'Go on forever';

interface Run {
  readonly tokens: number;
  /** Processor time of everything but the thread that computes. */
  readonly aroundMs: number;
}

/** The busiest thread computes the tokens, in both ways; what the others take is the price of bringing them. */
function around(threads: readonly ThreadTime[]): number {
  return threads.slice(1).reduce((sum, { ms }) => sum + ms, 0);
}

async function ours(app: App): Promise<Run> {
  const { page } = app;
  await page.goto('/#/');
  await app.send(QUESTION);
  await expect(app.message(-1)).toContainText('and on it goes');
  const address = page.url();
  // Nobody looks at it: drawing is another matter.
  await page.goto('/#/settings/about');
  const end = await recordThreads(page);
  await untilNothingRuns(app);
  const threads = await end();
  await page.goto(address);
  const counts = await app.message(-1).textContent();
  const tokens = Number(/([\d,]+) out/.exec(counts ?? '')?.[1]?.replaceAll(',', ''));
  return { tokens, aroundMs: around(threads) };
}

async function untilNothingRuns({ page }: App): Promise<void> {
  const count = (): Promise<number> =>
    page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('jackdaw');
        request.onsuccess = () => resolve(request.result);
      });
      const runs = await new Promise<number>((resolve) => {
        const request = database.transaction('runs').objectStore('runs').count();
        request.onsuccess = () => resolve(request.result);
      });
      database.close();
      return runs;
    });
  await expect.poll(count, { timeout: 120_000, intervals: [2000] }).toBe(0);
}

/** The package alone, in an empty page: the shortest loop that there is. */
async function bare(app: App): Promise<Run> {
  const context = await app.page.context().browser()?.newContext({ serviceWorkers: 'block' });
  if (context === undefined) throw new Error('no browser');
  const page = await context.newPage();
  const folder = 'node_modules/@wllama/wllama/esm';
  const files: Readonly<Record<string, () => Promise<{ body: Buffer | string; contentType: string }>>> = {
    'index.html': async () => ({ body: '<!doctype html><title>bare</title>', contentType: 'text/html' }),
    'index.js': async () => ({ body: await readFile(join(folder, 'index.js')), contentType: 'text/javascript' }),
    'wllama.wasm': async () => ({ body: await readFile(join(folder, 'wasm/wllama.wasm')), contentType: 'application/wasm' }),
    'model.gguf': async () => ({ body: Buffer.from(scriptedGguf()), contentType: 'application/octet-stream' }),
  };
  const origin = new URL(app.page.url()).origin;
  await page.route(`${origin}/bare/*`, async (route) => {
    const file = files[new URL(route.request().url()).pathname.split('/').at(-1) ?? ''];
    await (file === undefined ? route.abort() : route.fulfill(await file()));
  });
  await page.goto(`${origin}/bare/index.html`);
  await page.evaluate(async () => {
    const at = (name: string): string => new URL(name, location.href).href;
    const { Wllama, LoggerWithoutDebug } = await import(at('index.js'));
    const wllama = new Wllama({ default: at('wllama.wasm') }, { suppressNativeLog: true, logger: LoggerWithoutDebug });
    wllama.setCompat(null);
    const model = await (await fetch(at('model.gguf'))).blob();
    await wllama.loadModel([model], { n_ctx: 4096, n_gpu_layers: 0, n_parallel: 1, reasoning_format: 'none' });
    Object.assign(window, { wllama });
  });
  const end = await recordThreads(page);
  const tokens = await page.evaluate(async (question) => {
    const wllama: unknown = Reflect.get(window, 'wllama');
    if (!isChatting(wllama)) throw new Error('no wllama');
    let count = 0;
    for await (const _chunk of await wllama.createChatCompletion({ stream: true, messages: [{ role: 'user', content: question }] }))
      count += 1;
    return count;
    function isChatting(value: unknown): value is { createChatCompletion(given: object): Promise<AsyncIterable<object>> } {
      return typeof value === 'object' && value !== null && 'createChatCompletion' in value;
    }
  }, QUESTION);
  const threads = await end();
  await context.close();
  return { tokens, aroundMs: around(threads) };
}

test('local: what our path adds to a token of the CPU engine', async ({ app, page }) => {
  await app.open();
  await page.goto('/#/settings/models');
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'Mine.gguf', mimeType: 'application/octet-stream', buffer: Buffer.from(scriptedGguf()) });
  await page.getByRole('button', { name: 'Use Mine for new chats' }).click();
  const [own, floor]: [Run[], Run[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    own.push(await ours(app));
    floor.push(await bare(app));
  }
  const perToken = ({ aroundMs, tokens }: Run): number => aroundMs / tokens;
  const [mine, least] = [median(own, perToken), median(floor, perToken)];
  report('local tokens', {
    tokens: `${median(own, ({ tokens }) => tokens)}, bare ${median(floor, ({ tokens }) => tokens)}`,
    'around a token': `${mine.toFixed(3)} ms, bare ${least.toFixed(3)} ms`,
    'our path adds': `${(mine - least).toFixed(3)} ms a token`,
  });
});
