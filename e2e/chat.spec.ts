import { createHold } from './support/replay-server';
import { expect, test } from './support/app';

test.beforeEach(async ({ app }) => {
  await app.open();
  await app.connect();
});

test('a first conversation: connect, send, read the answer as it is written, find it again', async ({ app, server, page }) => {
  const hold = createHold();
  server.enqueue({
    type: 'text',
    text: 'The **first** answer, in two pieces.',
    hold: { afterDeltas: 4, hold },
    usage: { prompt_tokens: 31, completion_tokens: 9, total_tokens: 40 },
  });
  await app.send('Hello there');
  await expect(app.message(1)).toContainText('The first an');
  await expect(page).toHaveURL(/#\/c\//);
  await app.composer.fill('typed while it runs');
  hold.release();
  await expect(app.message(1)).toContainText('The first answer, in two pieces.');
  await app.atRest();
  await expect(app.message(1).locator('strong')).toHaveText('first');
  await expect(app.message(1)).toContainText('31 in, 9 out');
  // The URL changed under the composer; what was typed stayed.
  await expect(app.composer).toHaveValue('typed while it runs');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Hello there' })).toBeVisible();
  await app.accessible();

  await page.reload();
  await expect(app.message(1)).toContainText('The first answer, in two pieces.');
  await expect(app.composer).toHaveValue('typed while it runs');
  const body = server.requests.find((request) => request.path.endsWith('/chat/completions'))?.body;
  expect(body).toMatchObject({
    model: 'replay-model',
    stream: true,
    messages: [{ role: 'system' }, { role: 'user', content: 'Hello there' }],
  });
});

test('reasoning is folded into one line with its time', async ({ app, server, page }) => {
  const hold = createHold();
  server.enqueue({ type: 'text', reasoning: 'First I compare both numbers.', text: 'Nine.', hold: { afterDeltas: 3, hold } });
  await app.send('Which is larger?');
  const line = page.getByRole('button', { name: /^Thinking/ });
  await expect(line).toBeVisible();
  await expect(app.message(1)).not.toContainText('First I');
  await line.click();
  await expect(app.message(1)).toContainText('First I');
  hold.release();
  await app.atRest();
  await expect(page.getByRole('button', { name: /^Thought/ })).toBeVisible();
  await expect(app.message(1)).toContainText('First I compare both numbers.');
  await expect(app.message(1)).toContainText('Nine.');
  await app.accessible();
});

test('think tags never flash in the answer', async ({ app, server, page }) => {
  server.enqueue({ type: 'text', text: '<think>secretly</think>Openly.', deltaSize: 1, tokensPerSecond: 120 });
  const shown: string[] = [];
  await page.exposeFunction('noteText', (text: string) => shown.push(text));
  await page.evaluate(() => {
    new MutationObserver(() => {
      Reflect.get(window, 'noteText')(document.querySelector('main')?.textContent ?? '');
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await app.ask('Think');
  await expect(app.message(1)).toContainText('Openly.');
  expect(shown.filter((text) => /<\/?th/.test(text))).toEqual([]);
});

test('stop ends the answer at once, here and at the server', async ({ app, server }) => {
  const hold = createHold();
  server.enqueue({ type: 'text', text: 'A very long story about a bird.', hold: { afterDeltas: 5, hold } });
  await app.send('Tell me a story');
  await expect(app.message(1)).toContainText('A very long');
  const clickedAt = Date.now();
  await app.stop.click();
  const { at } = await server.nextClose();
  expect(at - clickedAt).toBeLessThan(200);
  await app.atRest();
  await expect(app.message(1)).toContainText('A very long');
  await expect(app.message(1)).toContainText('Stopped');
  await app.accessible();
  await app.ask('And now?');
  await expect(app.message(3)).toContainText('Echo: And now?');
});

test('a reload in mid-answer keeps what was written, and Continue goes on in the same place', async ({ app, server, page }) => {
  const hold = createHold();
  const earlier = 'Once upon a time there lived a jackdaw who collected shiny wo';
  server.enqueue({ type: 'text', text: `${earlier}rds`, deltaSize: earlier.length, hold: { afterDeltas: 1, hold } });
  await app.send('Tell me a story');
  await expect(app.message(1)).toContainText(earlier);
  await app.savedUpTo(earlier);
  const node = await app.message(1).getAttribute('data-node');
  await page.reload();
  await expect(app.message(1)).toContainText(earlier);
  await expect(app.message(1)).toContainText('This answer was interrupted. What arrived is kept.');
  await app.atRest();
  await app.accessible();

  // The server repeats the end of what is there before it goes on.
  server.enqueue({ type: 'text', text: 'jackdaw who collected shiny words and hid them well.' });
  await page.getByRole('button', { name: 'Continue' }).first().click();
  await app.atRest();
  const whole = 'Once upon a time there lived a jackdaw who collected shiny words and hid them well.';
  await expect(app.message(1)).toContainText(whole);
  expect(await app.message(1).getAttribute('data-node')).toBe(node);
  await app.hasMessages(2);
  const request = server.requests.filter((one) => one.path.endsWith('/chat/completions')).at(-1)?.body;
  expect(request).toMatchObject({
    messages: [{ role: 'system' }, { role: 'user', content: 'Tell me a story' }, { role: 'assistant', content: earlier }, { role: 'user' }],
  });
  expect(longestRepeat(whole)).toBeLessThan(20);
  expect(longestRepeat((await app.message(1).textContent()) ?? '')).toBeLessThan(20);
});

test('edit and answer again make branches that can be switched', async ({ app, server, page }) => {
  server.enqueue({ type: 'text', text: 'First answer.' });
  await app.ask('First question');
  server.enqueue({ type: 'text', text: 'Second answer.' });
  await app
    .message(1)
    .getByRole('button', { name: /^Answer again/ })
    .click();
  await expect(app.message(1)).toContainText('Second answer.');
  await app.atRest();
  await expect(app.message(1)).toContainText('2/2');
  await app.message(1).getByRole('button', { name: 'Previous alternative' }).click();
  await expect(app.message(1)).toContainText('First answer.');
  await expect(app.message(1)).toContainText('1/2');

  server.enqueue({ type: 'text', text: 'Answer to the edited one.' });
  await app.message(0).getByRole('button', { name: 'Edit', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Edit message' });
  await expect(field).toBeFocused();
  await field.fill('Edited question');
  await app.accessible();
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  await expect(app.message(1)).toContainText('Answer to the edited one.');
  await app.atRest();
  await expect(app.message(0)).toContainText('2/2');
  await app.message(0).getByRole('button', { name: 'Previous alternative' }).click();
  await expect(app.message(0)).toContainText('First question');
  await expect(app.message(1)).toContainText('First answer.');
  await page.reload();
  await expect(app.message(0)).toContainText('First question');
  await expect(app.message(1)).toContainText('1/2');
  const last = server.requests.filter((one) => one.path.endsWith('/chat/completions')).at(-1)?.body;
  expect(JSON.stringify(last)).not.toContain('First question');
});

test('a message that is only a picture reaches a model that sees, and is refused for one that does not', async ({ app, server, page }) => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  await page.locator('input[type="file"]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png });
  await expect(page.getByText('replay-model can’t read images.')).toBeVisible();
  await app.accessible();
  server.setModels([{ id: 'replay-model', architecture: { input_modalities: ['text', 'image'] } }]);
  await app.page.getByRole('button', { name: /^Model:/ }).click();
  await page.getByRole('button', { name: 'Refresh the lists of models' }).click();
  await expect(page.getByText('replay-model can’t read images.')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await app.composer.press('Enter');
  await expect(app.message(1)).toContainText('Echo: [image]');
  await app.atRest();
  await expect(app.message(0).getByRole('img', { name: 'dot.png' })).toBeVisible();
  const body = server.requests.filter((one) => one.path.endsWith('/chat/completions')).at(-1)?.body;
  expect(JSON.stringify(body)).toContain(`data:image/png;base64,${png.toString('base64')}`);
});

function longestRepeat(text: string): number {
  for (let length = Math.floor(text.length / 2); length > 0; length--) {
    for (let at = 0; at + length <= text.length; at++) if (text.indexOf(text.slice(at, at + length), at + 1) >= 0) return length;
  }
  return 0;
}
