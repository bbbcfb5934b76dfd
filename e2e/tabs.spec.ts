import { App, expect, test } from './support/app';
import { createHold } from './support/replay-server';

test('a second tab watches the answer live and stops it', async ({ app, server, context }) => {
  await app.open();
  await app.connect();
  const hold = createHold();
  server.enqueue({ type: 'text', text: 'The first half and the second half.', deltaSize: 15, hold: { afterDeltas: 1, hold } });
  await app.send('Tell me');
  await expect(app.message(1)).toContainText('The first half');

  const other = new App(await context.newPage(), server);
  await other.page.goto(app.page.url());
  await expect(other.message(1)).toContainText('The first half');
  await expect(other.stop).toBeVisible();
  hold.release();
  await expect(other.message(1)).toContainText('The first half and the second half.');
  await other.atRest();

  const next = createHold();
  server.enqueue({ type: 'text', text: 'Something endless', deltaSize: 5, hold: { afterDeltas: 2, hold: next } });
  await app.send('More');
  // This run began in the first tab while the second one was already looking.
  await expect(other.message(3)).toContainText('Something');
  await other.stop.click();
  await server.nextClose();
  await app.atRest();
  await other.atRest();
  await expect(app.message(3)).toContainText('Something');
  await expect(other.message(3)).toContainText('Something');
});

test('a second tab sends into the conversation of the first', async ({ app, server, context }) => {
  await app.open();
  await app.connect();
  await app.ask('From the first');
  const other = new App(await context.newPage(), server);
  await other.page.goto(app.page.url());
  await expect(other.message(1)).toContainText('Echo: From the first');
  await other.ask('From the second');
  await expect(app.message(3)).toContainText('Echo: From the second');
  await expect(other.message(3)).toContainText('Echo: From the second');
});

test('when the tab that writes the answer is closed, the other one keeps what was saved and goes on', async ({ app, server, context }) => {
  await app.open();
  await app.connect();
  const hold = createHold();
  server.enqueue({ type: 'text', text: 'Saved before the end', deltaSize: 12, hold: { afterDeltas: 1, hold } });
  await app.send('Tell me');
  await expect(app.message(1)).toContainText('Saved before');
  const other = new App(await context.newPage(), server);
  await other.page.goto(app.page.url());
  await expect(other.message(1)).toContainText('Saved before');
  await app.savedUpTo('Saved before');
  await app.page.close();
  await expect(other.message(1)).toContainText('interrupted');
  await expect(other.message(1)).toContainText('Saved before');
  await other.atRest();
  await other.ask('Are you there?');
  await expect(other.message(3)).toContainText('Echo: Are you there?');
});

test('opening another conversation never stops a run', async ({ app, server, page }) => {
  await app.open();
  await app.connect();
  const hold = createHold();
  server.enqueue({ type: 'text', text: 'Slow and steady', deltaSize: 5, hold: { afterDeltas: 1, hold } });
  await app.send('Slow question');
  await expect(app.message(1)).toContainText('Slow');
  await page.getByRole('link', { name: 'New chat' }).first().click();
  await app.ask('Quick question');
  await expect(app.message(1)).toContainText('Echo: Quick question');
  hold.release();
  await page.getByRole('navigation').getByRole('link', { name: 'Slow question' }).click();
  await expect(app.message(1)).toContainText('Slow and steady');
  expect(server.closed).toHaveLength(0);
});
