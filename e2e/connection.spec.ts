import type { Page } from '@playwright/test';
import { expect, test, type App } from './support/app';
import { allowOrigin, answerJson, startRoughServer, type Behaviour, type RoughServer } from './support/rough-server';

const MODELS = { object: 'list', data: [{ id: 'rough-model', object: 'model' }] };
const KEY = 'sk-test-0123456789';

/** Fills in a new account of `preset` and asks for its connection. */
async function testConnection(page: Page, preset: string, address: string, key = KEY): Promise<void> {
  await page.goto(`/#/settings/accounts/new:${preset}`);
  await page.getByLabel('Address', { exact: true }).fill(address);
  if (key !== '') await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Test connection' }).click();
}

/** The one sentence of what happened and the one of what to do; nothing else is said, and it can be read by everyone. */
async function expectCause(app: App, title: string | RegExp, advice: string | RegExp): Promise<void> {
  const card = app.page.locator('.result .card');
  await expect(card.getByText(title)).toBeVisible({ timeout: 40_000 });
  await expect(card.getByText(advice)).toBeVisible();
  await expect(card).toHaveCount(1);
  await expect(card).not.toContainText(KEY);
  await app.accessible();
}

const servers: RoughServer[] = [];

async function start(behaviour: Behaviour): Promise<RoughServer> {
  const server = await startRoughServer(behaviour);
  servers.push(server);
  return server;
}

test.beforeEach(async ({ app }) => {
  await app.open();
});

test.afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

test('a server that is not running', async ({ app, page }) => {
  const server = await start(() => undefined);
  const { host } = new URL(server.origin);
  await servers.pop()?.close();
  await testConnection(page, 'ollama', `${server.origin}/v1`, '');
  await expectCause(app, `Nothing answers at ${host}.`, /^Start the server on that machine/);
  await expect(page.getByRole('code').first()).toContainText('ollama serve');
});

test('a server that is up and does not know of CORS', async ({ app, page, baseURL }) => {
  const server = await start((request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(405).end();
    else answerJson(response, 200, MODELS);
  });
  const origin = new URL(baseURL ?? '').origin;
  await testConnection(page, 'ollama', `${server.origin}/v1`);
  await expectCause(
    app,
    `${new URL(server.origin).host} is running, but it does not let this page in.`,
    `Allow ${origin} in the server’s settings and restart it.`,
  );
  await expect(page.getByRole('code').first()).toContainText(origin);
});

test('a server that lets only other origins in', async ({ app, page }) => {
  const server = await start((request, response) => {
    response.setHeader('access-control-allow-origin', 'https://elsewhere.example');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else answerJson(response, 200, MODELS);
  });
  await testConnection(page, 'custom', `${server.origin}/v1`, '');
  await expectCause(app, /is running, but it does not let this page in/, /^Allow http/);
});

for (const [name, key, header] of [
  ['the key’s header', KEY, ''],
  ['a header of the user’s own', '', 'x-team'],
] as const) {
  test(`a server whose preflight refuses ${name} while a plain GET works`, async ({ app, page }) => {
    const server = await start((request, response) => {
      allowOrigin(response, 'content-type');
      if (request.method === 'OPTIONS') response.writeHead(204).end();
      else answerJson(response, 200, MODELS);
    });
    await page.goto('/#/settings/accounts/new:custom');
    await page.getByLabel('Address', { exact: true }).fill(`${server.origin}/v1`);
    if (key !== '') await page.getByLabel('Key', { exact: true }).fill(key);
    if (header !== '') {
      await page.getByText('More settings').click();
      await page.getByRole('button', { name: 'Add a header' }).click();
      await page.getByLabel('Header name').fill(header);
      await page.getByLabel('Value', { exact: true }).fill('birds');
    }
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expectCause(app, `${new URL(server.origin).host} refuses one of the headers that were sent.`, /^Remove extra headers/);
    const real = server.requests.filter((request) => request.method === 'GET');
    expect(real.every((request) => request.headers.authorization === undefined && request.headers['x-team'] === undefined)).toBe(true);
  });
}

test('a known service that hides its 401 from pages', async ({ app, page }) => {
  const server = await start((request, response) => {
    const isOpen = request.method === 'OPTIONS';
    if (isOpen) allowOrigin(response, 'authorization');
    answerJson(response, isOpen ? 200 : 401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } });
  });
  // The service's own address, answered by the server of this test.
  await page.context().route('https://api.openai.com/**', async (route) => {
    const answer = await route.fetch({ url: `${server.origin}${new URL(route.request().url()).pathname}` });
    // Without a CORS header the test's browser would add one that fits; this one lets nobody in, as its absence does.
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'access-control-allow-origin': 'null' } });
  });
  await testConnection(page, 'openai', 'https://api.openai.com/v1');
  await expectCause(app, 'api.openai.com refused the request and hides why; most likely the key is wrong.', /^Check the key/);
});

test('a server of one’s own that hides its 401: nothing tells it from one that keeps the page out', async ({ app, page }) => {
  const server = await start((request, response) => {
    if (request.method === 'OPTIONS') allowOrigin(response, 'authorization');
    answerJson(response, request.method === 'OPTIONS' ? 200 : 401, { error: { message: 'Incorrect API key provided' } });
  });
  await testConnection(page, 'custom', `${server.origin}/v1`);
  await expectCause(app, /is running, but it does not let this page in/, /^Allow http/);
});

test('a key that is refused in the open', async ({ app, page }) => {
  const server = await start((request, response) => {
    allowOrigin(response, 'authorization');
    answerJson(response, request.method === 'OPTIONS' ? 200 : 401, { error: { message: `Incorrect API key provided: ${KEY}` } });
  });
  await testConnection(page, 'custom', `${server.origin}/v1`);
  await expectCause(app, /did not accept the key\./, /^Check the key/);
});

test('a server that takes the request and never answers', async ({ app, page }) => {
  // As long as the app itself waits for a list of models, and a little more.
  test.setTimeout(60_000);
  const server = await start((request, response) => {
    allowOrigin(response, 'authorization');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
  });
  await testConnection(page, 'custom', `${server.origin}/v1`);
  await expect(page.getByRole('button', { name: 'Asking the server…' })).toBeVisible();
  await expectCause(app, `${new URL(server.origin).host} did not answer in time.`, /^Try again/);
});

test('a page in HTML where the models should be', async ({ app, page }) => {
  const server = await start((request, response) => {
    allowOrigin(response, 'authorization');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><title>Router</title><h1 id="trap">Log in</h1>');
  });
  await testConnection(page, 'custom', `${server.origin}/v1`);
  await expectCause(app, `${new URL(server.origin).host} answers, but not as a model server does.`, /^Check the address/);
  await expect(page.locator('#trap')).toHaveCount(0);
});
