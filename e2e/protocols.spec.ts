import { fixturePath, hasFixtures } from '../tests/support/fixtures';
import { protocolOf } from '../tests/support/wire-turns';
import { expect, test } from './support/app';
import { asked, choose, PLACES, recorded, replay, startEverywhere, startWith, WHOLE_ANSWERS } from './support/places';
import { expectWellFormed, opaqueValuesOf, textOf } from './support/wire-checks';

/** Without the recordings there is nothing to answer with. */
test.skip(!hasFixtures, `The recorded streams are not there (${fixturePath('streams')}).`);

/** Nobody recorded one of these: the events as the protocol describes them. */
const RESPONSES_REFUSAL = sse([
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
  },
  { type: 'response.content_part.added', item_id: 'msg_1', output_index: 0, content_index: 0, part: { type: 'refusal', refusal: '' } },
  { type: 'response.refusal.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'I can’t help ' },
  { type: 'response.refusal.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'with that.' },
  { type: 'response.refusal.done', item_id: 'msg_1', output_index: 0, content_index: 0, refusal: 'I can’t help with that.' },
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'refusal', refusal: 'I can’t help with that.' }],
    },
  },
  {
    type: 'response.completed',
    response: { id: 'resp_1', status: 'completed', output: [], usage: { input_tokens: 5, output_tokens: 6, total_tokens: 11 } },
  },
]);

function sse(events: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** The middle of recorded pictures is left out; here they are whole ones. */
const withPicture = (recording: string): string => recording.replaceAll(/"[A-Za-z0-9+/]{60,}\.\.\.[^"]*"/g, `"${PICTURE}"`);

test.beforeEach(async ({ app }) => {
  await app.open();
});

for (const [protocol, recording, words] of [
  ['openai-chat', 'openai-chat/text-long-obfuscation', null],
  ['anthropic-messages', 'anthropic/text', "Hello! I'm doing well"],
  ['google-generative', 'gemini/text', 'in strawberry'],
  ['openai-responses', 'openai-responses/tool-then-text-2', null],
] as const) {
  test(`${protocol}: a text arrives through an account of the settings page`, async ({ app, server }) => {
    await startWith(app, protocol);
    server.enqueue(replay(recording));
    await app.ask('Hello');
    await expect(app.message(1)).toHaveAttribute('data-status', 'complete');
    await expect(app.message(1).locator('.markdown')).toContainText(words ?? /\w{3}/);
    await app.accessible();
    const requests = asked(server);
    expect(requests.map(protocolOf)).toEqual([protocol]);
    requests.forEach(expectWellFormed);
  });
}

for (const [protocol, recording, host] of [
  ['openai-chat', 'openrouter/web-annotations', 'github.com'],
  ['anthropic-messages', 'anthropic/web-search-citations', 'www.ruby-lang.org'],
  ['google-generative', 'gemini/grounding', 'www.google.com'],
  ['openai-responses', 'openai-responses/web-search', 'techcrunch.com'],
] as const) {
  test(`${protocol}: sources stand under the answer, and nothing of them is loaded`, async ({ app, server, page }) => {
    await startWith(app, protocol);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && !/^http:\/\/(localhost|127\.0\.0\.1):/.test(request.url())) elsewhere.push(request.url());
    });
    server.enqueue(replay(recording));
    await app.ask('What is new?');
    const sources = app.message(1).getByRole('group', { name: 'Sources' });
    await sources.getByRole('button', { name: /^\d+ sources?$/ }).click();
    await expect(sources.getByRole('listitem').filter({ hasText: host }).first()).toBeVisible();
    await app.accessible();
    expect(elsewhere).toEqual([]);
  });
}

for (const [protocol, recording] of [
  ['anthropic-messages', 'anthropic/web-search-citations'],
  ['openai-responses', 'openai-responses/web-search'],
] as const) {
  test(`${protocol}: what was searched stands in one line`, async ({ app, server }) => {
    await startWith(app, protocol);
    server.enqueue(replay(recording));
    await app.ask('What is new?');
    await app
      .message(1)
      .getByRole('button', { name: /^Searched the web: / })
      .first()
      .click();
    await expect(app.message(1).getByText('Searched for').first()).toBeVisible();
    await app.accessible();
  });
}

for (const [protocol, recording] of [
  ['openai-chat', 'openai-chat/refusal'],
  ['anthropic-messages', 'anthropic/refusal'],
  ['google-generative', 'gemini/fb-prompt-blocked'],
] as const) {
  test(`${protocol}: a refusal is told as one`, async ({ app, server }) => {
    await startWith(app, protocol);
    server.enqueue(replay(recording));
    await app.ask('Something refused');
    await expect(app.message(1)).toContainText(/declined to answer|filter (stopped|ended) this answer/);
    await app.accessible();
  });
}

for (const [protocol, recording] of [
  ['openai-chat', 'authored/openrouter/image-output'],
  ['google-generative', 'authored/gemini/inline-image'],
  ['openai-responses', 'openai-responses/image-generation'],
] as const) {
  test(`${protocol}: a picture in the answer is stored and shown`, async ({ app, server, page }) => {
    await startWith(app, protocol);
    server.enqueue({ type: 'raw', pieces: [withPicture(recorded(recording))] });
    await app.ask('Draw a bird');
    const picture = app.message(1).getByRole('button', { name: /^Open .* larger$/ });
    await expect(picture).toBeVisible();
    await expect(picture.locator('img')).toHaveAttribute('src', /^blob:/);
    await page.reload();
    const width = (): Promise<number> =>
      picture.locator('img').evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
    await expect.poll(width).toBeGreaterThan(0);
  });
}

test('openai-responses: a refusal is told as one, in the model’s words', async ({ app, server }) => {
  await startWith(app, 'openai-responses');
  server.enqueue({ type: 'raw', pieces: [RESPONSES_REFUSAL] });
  await app.ask('Something refused');
  await expect(app.message(1)).toContainText('The model declined to answer');
  await expect(app.message(1)).toContainText('I can’t help with that.');
  await app.accessible();
});

test('a conversation that visits every protocol can always go on', async ({ app, server, page }) => {
  test.setTimeout(90_000);
  await startEverywhere(app);
  const round = [...PLACES, ...PLACES.toReversed()];
  for (const [index, each] of round.entries()) {
    await choose(page, each);
    server.enqueue(replay(WHOLE_ANSWERS[each.protocol]));
    await app.ask(`Question ${index}`);
    await expect(app.message(2 * index + 1), each.protocol).toHaveAttribute('data-status', 'complete');
  }
  const requests = asked(server);
  expect(requests.map(protocolOf)).toEqual(round.map(({ protocol }) => protocol));
  for (const [maker, recording] of Object.entries(WHOLE_ANSWERS))
    expect(opaqueValuesOf(recorded(recording)).length, maker).toBeGreaterThan(0);
  for (const [index, request] of requests.entries()) {
    const turns = expectWellFormed(request);
    expect(turns).toHaveLength(2 * index + 1);
    expect(turns.map(textOf).at(-1)).toContain(`Question ${index}`);
    const body = JSON.stringify(request.body);
    for (const [maker, recording] of Object.entries(WHOLE_ANSWERS)) {
      if (maker === protocolOf(request)) continue;
      for (const value of opaqueValuesOf(recorded(recording))) expect(body, `${maker} → ${protocolOf(request)}`).not.toContain(value);
    }
  }
});
