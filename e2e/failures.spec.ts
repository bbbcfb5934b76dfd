import { createHold } from './support/replay-server';
import { expect, test } from './support/app';

test.beforeEach(async ({ app }) => {
  await app.open();
  await app.connect();
});

test('429, then success: a countdown, then the answer, and nothing twice', async ({ app, server, page }) => {
  server.enqueue(
    {
      type: 'error',
      status: 429,
      headers: { 'retry-after': '2' },
      body: { error: { message: 'Rate limit reached for requests', code: 'rate_limit_exceeded' } },
    },
    { type: 'text', text: 'Now it works.' },
  );
  await app.send('Hello');
  await expect(page.getByText(/^Trying again in \d s \(try 1\)/)).toBeVisible();
  await app.accessible();
  await expect(app.message(1)).toContainText('Now it works.');
  await app.atRest();
  await app.hasMessages(2);
});

test('stop ends the wait for another try', async ({ app, server, page }) => {
  server.enqueue({ type: 'error', status: 429, headers: { 'retry-after': '30' }, body: { error: { message: 'Slow down' } } });
  await app.send('Hello');
  await expect(page.getByText(/^Trying again in/)).toBeVisible();
  await app.stop.click();
  await app.atRest();
});

test('a wrong key says so, keeps the message and leads to the account', async ({ app, server, page }) => {
  server.enqueue({
    type: 'error',
    status: 401,
    body: { error: { message: 'Incorrect API key provided: sk-test-0123456789.', code: 'invalid_api_key' } },
  });
  await app.ask('Hello');
  await expect(app.message(0)).toContainText('Hello');
  const card = app.message(1);
  await expect(card).toContainText(/key/i);
  await expect(card).not.toContainText('sk-test-0123456789');
  await app.accessible();
  await card.getByRole('button', { name: 'Try again' }).click();
  await app.atRest();
  await expect(app.message(1)).toContainText('Echo: Hello');
  await expect(page.getByRole('link', { name: 'Open account settings' })).toHaveCount(0);
});

test('a server that is down is named, and the next send works once it is back', async ({ app, server }) => {
  const port = Number(new URL(server.url).port);
  await server.close();
  await app.send('Anyone there?');
  await expect(app.message(1)).toContainText('127.0.0.1', { timeout: 20_000 });
  await app.atRest();
  await app.accessible();
  const { startReplayServer } = await import('./support/replay-server');
  const again = await startReplayServer(port);
  await app.message(1).getByRole('button', { name: 'Try again' }).click();
  await expect(app.message(1)).toContainText('Echo: Anyone there?');
  await app.atRest();
  await again.close();
});

test('a cut stream keeps the words, says that it was cut and can go on', async ({ app, server }) => {
  server.enqueue({ type: 'text', text: 'Half of a sentence that never', tokensPerSecond: 20, cutAfterDeltas: 5 });
  await app.ask('Go');
  // The last piece may be lost with the connection.
  await expect(app.message(1)).toContainText('Half of a se');
  await app.accessible();
  server.enqueue({ type: 'text', text: ' came to its end.' });
  await app.message(1).getByRole('button', { name: 'Continue' }).click();
  await app.atRest();
  await expect(app.message(1)).toContainText(/Half of a se[\w ]* came to its end\./);
});

test('a login page instead of an answer is told as that and never drawn', async ({ app, server, page }) => {
  server.enqueue({ type: 'page', html: '<!doctype html><title>Sign in</title><h1 id="trap">Sign in</h1>' });
  await app.ask('Hello');
  await expect(app.message(1)).toContainText(/not.*(API|answer)/i);
  await expect(page.locator('#trap')).toHaveCount(0);
});

test('an empty answer is not an empty bubble', async ({ app, server }) => {
  server.enqueue({ type: 'text', text: '' });
  await app.ask('Hello');
  await expect(app.message(1)).toContainText('The model ended without saying anything.');
});

test('the offline lock refuses everything and says how to open it', async ({ app, server, page }) => {
  await page.goto('/#/settings/privacy');
  await page.getByRole('switch', { name: 'Offline lock' }).click();
  await page.goto('/#/');
  const before = server.requests.length;
  await app.ask('Hello');
  expect(server.requests.length).toBe(before);
  await expect(app.message(1)).toContainText(/offline lock/i);
  await app.accessible();
  await app.message(1).getByRole('button', { name: 'Turn off the offline lock' }).click();
  await expect(app.message(1)).toContainText('Echo: Hello');
});

test('turning the offline lock on ends an answer that is on its way', async ({ app, server, page }) => {
  const hold = createHold();
  server.enqueue({ type: 'text', text: 'On its way out', hold: { afterDeltas: 2, hold } });
  await app.send('Hello');
  await expect(app.message(1)).toContainText('On its w');
  await page.goto('/#/settings/privacy');
  await page.getByRole('switch', { name: 'Offline lock' }).click();
  await server.nextClose();
});

test('every request is in the ledger, with its destination and nothing of what it said', async ({ app, server, page }) => {
  await app.ask('A secret word: abracadabra');
  const hold = createHold();
  server.enqueue({ type: 'text', text: 'never finished', hold: { afterDeltas: 1, hold } });
  await app.send('Stop this one');
  await expect(app.message(3)).toContainText('neve');
  await app.stop.click();
  await app.atRest();
  await page.goto('/#/settings/privacy');
  const table = page.getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(server.requests.length + 1);
  await expect(table).toContainText(server.origin);
  await expect(table).toContainText('Stopped');
  await expect(table).not.toContainText('abracadabra');
  await app.accessible();
});
