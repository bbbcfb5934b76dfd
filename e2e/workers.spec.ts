import { expect, test } from './support/app';

const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('no kind of worker builds code from text', async ({ app, page, context }) => {
  await app.open();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  // Under a timer: the policy does not hold for what the test itself evaluates.
  const attempt = (): Promise<string> =>
    new Promise((resolve) => {
      setTimeout(() => {
        try {
          resolve(String((0, eval)('"ran"')));
        } catch (error) {
          resolve(error instanceof Error ? error.name : 'unknown');
        }
      });
    });
  const workers = [...page.workers(), ...context.serviceWorkers()];
  expect(workers.map((worker) => new URL(worker.url()).pathname.replace(/-[\w-]+\.js$/, ''))).toEqual(['/assets/generation', '/service']);
  for (const worker of workers) expect(await worker.evaluate(attempt), worker.url()).toBe('EvalError');
  expect(await page.evaluate(attempt)).toBe('EvalError');
});

test('everything that left the browser during a conversation is in the ledger', async ({ app, server, page, context }) => {
  const foreign: string[] = [];
  await app.open();
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(page.url()).origin && request.method() !== 'OPTIONS')
      foreign.push(`${request.method()} ${new URL(request.url()).origin}`);
  });
  await context.route('https://pictures.example/**', (route) =>
    route.fulfill({ body: PICTURE, contentType: 'text/plain', headers: { 'access-control-allow-origin': '*' } }),
  );
  await app.connect();
  server.enqueue({ type: 'text', text: '![a bird](https://pictures.example/bird.png) and <img src="https://pictures.example/2.png">' });
  await app.ask('Show me a picture');
  const load = page.getByRole('button', { name: /^Load image/ });
  await expect(load).toBeVisible();
  await app.accessible();
  expect(foreign.filter((request) => request.includes('pictures'))).toEqual([]);
  await load.click();
  await expect(page.getByRole('img', { name: 'a bird' })).toBeVisible();
  expect(foreign.filter((request) => request.includes('pictures'))).toEqual(['GET https://pictures.example']);
  await app.ask('Once more');
  await page.goto('/#/settings/privacy');
  const table = page.getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(foreign.length + 1);
  expect(new Set(foreign)).toEqual(new Set([`GET ${server.origin}`, `POST ${server.origin}`, 'GET https://pictures.example']));
});
