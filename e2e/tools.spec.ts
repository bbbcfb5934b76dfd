import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { App, expect, test } from './support/app';
import { isRecord } from '../src/outbound/json';

test.beforeEach(async ({ app }) => {
  await app.open();
  await app.connect();
});

const call = (id: string, name: string, args: unknown) => ({ id, name, arguments: JSON.stringify(args) });
const QUESTION = {
  questions: [
    {
      question: 'Which format do you want?',
      header: 'Format',
      options: [{ label: 'A table' }, { label: 'A list', description: 'Short lines, one a point.', recommended: true }],
    },
    { question: 'How long?', header: 'Length', options: [{ label: 'Short' }, { label: 'Long' }] },
  ],
};

/** The user decides about a tool in the settings. */
async function setPolicy(page: Page, tool: string, policy: string): Promise<void> {
  await page.goto('/#/settings/tools');
  await page.getByLabel(tool, { exact: true }).selectOption(policy);
  await page.goto('/#/');
}

/** Messages of the request that left last. */
function lastMessages(requests: readonly { readonly path: string; readonly body: unknown }[]): readonly unknown[] {
  const body = requests.filter(({ path }) => path.endsWith('/chat/completions')).at(-1)?.body;
  return isRecord(body) && Array.isArray(body['messages']) ? body['messages'] : [];
}

test('calls run in order, are folded into one line, and open to what was asked and what came of it', async ({ app, server, page }) => {
  server.enqueue({
    type: 'text',
    text: 'I will plan it.',
    calls: [call('c1', 'task_create', { subject: 'Read the letter' }), call('c2', 'get_date_time', { time_zone: 'Asia/Tokyo' })],
    finishReason: 'tool_calls',
  });
  server.enqueue({
    type: 'text',
    text: '',
    calls: [call('c3', 'task_update', { taskId: '1', status: 'completed' })],
    finishReason: 'tool_calls',
  });
  server.enqueue({ type: 'text', text: 'It is planned.' });
  await app.send('Plan my day');
  await expect(app.message(1)).toContainText('It is planned.');
  await app.atRest();
  const line = app.message(1).getByRole('button', { name: /Task list: add/ });
  await expect(line).toHaveText(/Task list: add · Date and time · Task list: change/);
  await line.click();
  await app.message(1).getByRole('button', { name: 'Used Date and time' }).click();
  await expect(app.message(1)).toContainText('"time_zone": "Asia/Tokyo"');
  await app.message(1).getByRole('button', { name: 'Used Task list: change' }).click();
  await expect(app.message(1).getByRole('listitem').filter({ hasText: 'Read the letter' })).toContainText('(done)');
  await app.accessible();
  // Each call went back with its result, in the form in which it came.
  const roles = lastMessages(server.requests).map((message) => (isRecord(message) ? message['role'] : ''));
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'tool']);
  await page.reload();
  await expect(app.message(1)).toContainText('It is planned.');
});

test('a call that needs a word waits through a reload, is changed, and runs once', async ({ app, server, page }) => {
  await setPolicy(page, 'Task list: add', 'ask');
  server.enqueue({ type: 'text', text: '', calls: [call('c1', 'task_create', { subject: 'Sell the house' })], finishReason: 'tool_calls' });
  await app.send('Plan');
  const bar = page.getByRole('region', { name: 'Waiting for you' });
  await expect(bar).toContainText('Run “Task list: add”?');
  await expect(bar).toContainText('Sell the house');
  await app.accessible();
  await page.reload();
  await expect(bar).toContainText('Sell the house');
  expect(server.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1);
  await bar.getByRole('button', { name: 'Change', exact: true }).click();
  await bar.getByLabel('Arguments as JSON').fill('{"subject":');
  await expect(bar.getByRole('button', { name: 'Run once' })).toBeDisabled();
  await bar.getByLabel('Arguments as JSON').fill('{"subject":"Rent the house"}');
  server.enqueue({ type: 'text', text: 'Rented, then.' });
  await bar.getByRole('button', { name: 'Run once' }).click();
  await expect(app.message(1)).toContainText('Rented, then.');
  await expect(bar).toHaveCount(0);
  // What was in the bar is gone, and the one who decided can write on.
  await expect(app.composer).toBeFocused();
  expect(JSON.stringify(lastMessages(server.requests))).toContain('The user changed the arguments');
});

test('is declined with a reason by keyboard, and the model reads it', async ({ app, server, page }) => {
  await setPolicy(page, 'Task list: add', 'ask');
  server.enqueue({ type: 'text', text: '', calls: [call('c1', 'task_create', { subject: 'x' })], finishReason: 'tool_calls' });
  await app.send('Plan');
  const bar = page.getByRole('region', { name: 'Waiting for you' });
  await expect(bar).toBeVisible();
  await page.keyboard.press('Alt+d');
  await page.keyboard.type('not today');
  server.enqueue({ type: 'text', text: 'As you wish.' });
  await page.keyboard.press('Enter');
  await expect(app.message(1)).toContainText('As you wish.');
  expect(JSON.stringify(lastMessages(server.requests))).toContain('not today');
});

test('Alt+A runs it; “don’t ask again” holds for this conversation', async ({ app, server, page }) => {
  await setPolicy(page, 'Task list: add', 'ask');
  const wanted = { type: 'text', text: '', calls: [call('c1', 'task_create', { subject: 'x' })], finishReason: 'tool_calls' } as const;
  server.enqueue(wanted);
  await app.send('Plan');
  const bar = page.getByRole('region', { name: 'Waiting for you' });
  await expect(bar).toBeVisible();
  server.enqueue(wanted);
  await page.keyboard.press('Alt+a');
  await expect(bar).toBeVisible();
  await bar.getByRole('button', { name: 'More ways to allow it' }).click();
  server.enqueue(wanted);
  server.enqueue({ type: 'text', text: 'Three are planned.' });
  await page.getByRole('menuitem', { name: 'Run, and don’t ask again in this conversation' }).click();
  await expect(app.message(1)).toContainText('Three are planned.');
});

test('is decided in another tab, and the first one sees it and is not asked any more', async ({ app, server, page, context }) => {
  await setPolicy(page, 'Task list: add', 'ask');
  server.enqueue({ type: 'text', text: '', calls: [call('c1', 'task_create', { subject: 'x' })], finishReason: 'tool_calls' });
  await app.send('Plan');
  const bar = page.getByRole('region', { name: 'Waiting for you' });
  await expect(bar).toBeVisible();
  const second = await context.newPage();
  const other = new App(second, server);
  await second.goto(page.url());
  const otherBar = second.getByRole('region', { name: 'Waiting for you' });
  server.enqueue({ type: 'text', text: 'Decided there.' });
  await otherBar.getByRole('button', { name: 'Run once' }).click();
  await expect(other.message(1)).toContainText('Decided there.');
  await expect(app.message(1)).toContainText('Decided there.');
  await expect(bar).toHaveCount(0);
  await second.close();
});

test('is left undecided by the next message, and a tool that is never allowed is not offered', async ({ app, server, page }) => {
  await setPolicy(page, 'Task list: add', 'ask');
  server.enqueue({ type: 'text', text: '', calls: [call('c1', 'task_create', { subject: 'x' })], finishReason: 'tool_calls' });
  await app.send('Plan');
  const bar = page.getByRole('region', { name: 'Waiting for you' });
  await bar.getByRole('button', { name: 'More ways to decline' }).click();
  server.enqueue({ type: 'text', text: 'Never, then.' });
  await page.getByRole('menuitem', { name: 'Don’t run, and never offer this tool again' }).click();
  await expect(app.message(1)).toContainText('Never, then.');
  server.enqueue({ type: 'text', text: 'Hm.' });
  await app.ask('And now?');
  const body = server.requests.filter(({ path }) => path.endsWith('/chat/completions')).at(-1)?.body;
  const names = JSON.stringify(isRecord(body) ? body['tools'] : null);
  expect(names).toContain('task_list');
  expect(names).not.toContain('task_create');
});

test('a question shows its choices with the recommended one first, counts down, and survives a reload', async ({ app, server, page }) => {
  server.enqueue({ type: 'text', text: '', calls: [call('c1', 'ask_user', QUESTION)], finishReason: 'tool_calls' });
  await app.send('Write it up');
  const form = page.getByRole('form', { name: 'Question for you' });
  await expect(form.getByRole('radio', { name: /A list/ })).toBeChecked();
  await expect(form.getByRole('radio').first()).toBeChecked();
  await expect(form.getByRole('timer')).toHaveText(/Answers itself in [12]:\d\d/);
  await app.accessible();
  await page.reload();
  await expect(form.getByRole('timer')).toHaveText(/Answers itself in [12]:\d\d/);
  await form.getByRole('button', { name: 'Pause' }).click();
  await expect(form).toContainText(/Paused with [12]:\d\d left/);
  await form.getByRole('radio', { name: /A table/ }).click();
  // The second one comes by itself.
  await expect(form).toContainText('How long?');
  await form.getByLabel('Your own answer').fill('Half a page');
  server.enqueue({ type: 'text', text: 'A table of half a page.' });
  await form.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(app.message(1)).toContainText('A table of half a page.');
  const sent = JSON.stringify(lastMessages(server.requests));
  expect(sent).toContain('A table');
  expect(sent).toContain('Half a page');
  await app.message(1).getByRole('button', { name: 'Used Question' }).click();
  await expect(app.message(1)).toContainText('in your own words');
});

test('a question is answered from tab two, and the first tab goes on', async ({ app, server, page, context }) => {
  server.enqueue({
    type: 'text',
    text: '',
    calls: [call('c1', 'ask_user', { questions: [QUESTION.questions[0]] })],
    finishReason: 'tool_calls',
  });
  await app.send('Write it up');
  await expect(page.getByRole('form', { name: 'Question for you' })).toBeVisible();
  const second = await context.newPage();
  await second.goto(page.url());
  server.enqueue({ type: 'text', text: 'A list it is.' });
  await second.getByRole('form', { name: 'Question for you' }).getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(app.message(1)).toContainText('A list it is.');
  await second.close();
});

test('text mode offers no tools; agent-dev shows what each step cost; the choice is remembered for new chats', async ({
  app,
  server,
  page,
}) => {
  await page.getByRole('button', { name: 'Mode: Tools' }).click();
  await page.getByRole('radio', { name: /^Text/ }).check();
  await page.keyboard.press('Escape');
  server.enqueue({ type: 'text', text: 'Only talk.' });
  await app.ask('Hello');
  const bodies = () => server.requests.filter(({ path }) => path.endsWith('/chat/completions')).map(({ body }) => body);
  expect(JSON.stringify(bodies().at(-1))).not.toContain('"tools"');
  await page.getByRole('button', { name: 'Mode: Text' }).click();
  await page.getByRole('radio', { name: /^Agent-dev/ }).check();
  await app.accessible();
  await page.keyboard.press('Escape');
  server.enqueue({
    type: 'text',
    text: '',
    calls: [call('c1', 'task_list', {})],
    finishReason: 'tool_calls',
    usage: { prompt_tokens: 100, completion_tokens: 9, total_tokens: 109 },
  });
  server.enqueue({ type: 'text', text: 'Nothing to do.', usage: { prompt_tokens: 130, completion_tokens: 4, total_tokens: 134 } });
  await app.ask('And now?');
  await app.message(3).getByRole('button', { name: '2 steps' }).click();
  const table = app.message(3).getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table).toContainText('130');
  await expect(table).toContainText('230');
  await page.goto('/#/');
  await expect(page.getByRole('button', { name: 'Mode: Agent-dev' })).toBeVisible();
  // What left is written down, and the key is not.
  await page.goto('/#/settings/tools');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a file' }).click();
  const log = await readFile(await (await saving).path(), 'utf8');
  expect(log).toContain('And now?');
  // Of the answer in text mode nothing was written.
  expect(log.split('\n').filter((line) => line.includes('"type":"request"'))).toHaveLength(2);
  expect(log).not.toContain('sk-test-0123456789');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expect(page.getByText('Nothing is written down.')).toBeVisible();
});

test('Enter in the panel of modes chooses, and sends nothing of what is written', async ({ app, server, page }) => {
  await app.composer.fill('Not finished yet');
  await page.getByRole('button', { name: 'Mode: Tools' }).click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Mode: Agent-dev' })).toBeVisible();
  await expect(app.composer).toHaveValue('Not finished yet');
  expect(server.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(0);
});

test('a model that always calls is asked about at 100 steps, goes on when told to, and ends visibly at 256', async ({
  app,
  server,
  page,
}) => {
  test.setTimeout(180_000);
  for (let step = 0; step < 256; step++) {
    server.enqueue({ type: 'text', text: '', calls: [call(`c${String(step)}`, 'task_list', {})], finishReason: 'tool_calls' });
  }
  const asked = () => server.requests.filter(({ path }) => path.endsWith('/chat/completions')).length;
  await app.send('Go on for ever');
  await expect(app.message(1)).toContainText('100 steps so far. Shall it go on?', { timeout: 60_000 });
  expect(asked()).toBe(100);
  await page.reload();
  await expect(app.message(1)).toContainText('100 steps so far. Shall it go on?');
  expect(asked()).toBe(100);
  await app.message(1).getByRole('button', { name: 'Continue' }).click();
  await expect(app.message(1)).toContainText('200 steps so far. Shall it go on?', { timeout: 60_000 });
  await app.message(1).getByRole('button', { name: 'Continue' }).click();
  await expect(app.message(1)).toContainText('The answer was ended after 256 steps.', { timeout: 60_000 });
  expect(asked()).toBe(256);
});

test('a picture is made only with a word, and stands in the answer', async ({ app, server, page }) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGNgYPiPBw0jgaH/AQBNZwt1jIZ4XQAAAABJRU5ErkJggg==';
  server.setModels([{ id: 'replay-model' }, { id: 'gpt-image-1' }]);
  await page.getByRole('button', { name: 'Model: replay-model' }).click();
  await page.getByRole('button', { name: 'Refresh the lists of models' }).click();
  await page.keyboard.press('Escape');
  server.enqueue({ type: 'text', text: '', calls: [call('c1', 'generate_image', { prompt: 'A jackdaw' })], finishReason: 'tool_calls' });
  await app.send('Draw a jackdaw');
  const bar = page.getByRole('region', { name: 'Waiting for you' });
  await expect(bar).toContainText('A jackdaw');
  expect(server.requests.filter(({ path }) => path.endsWith('/images/generations'))).toHaveLength(0);
  server.enqueue({ type: 'raw', contentType: 'application/json', pieces: [JSON.stringify({ data: [{ b64_json: png }] })] });
  server.enqueue({ type: 'text', text: 'There it is.' });
  await bar.getByRole('button', { name: 'Run once' }).click();
  await expect(app.message(1)).toContainText('There it is.');
  await expect(app.message(1).getByRole('button', { name: 'Open a-jackdaw.png larger' })).toBeVisible();
});
