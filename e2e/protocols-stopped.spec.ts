import type { Locator } from '@playwright/test';
import { fixturePath, hasFixtures } from '../tests/support/fixtures';
import { protocolOf, type Protocol } from '../tests/support/wire-turns';
import { expect, test, type App } from './support/app';
import { BEFORE, encryptedThought, eventsTo, halfCall, signedThought, unfinished, type HalfCall } from './support/half-calls';
import { asked, choose, onlyTalk, PLACES, replay, startEverywhere, startWith, WHOLE_ANSWERS } from './support/places';
import { expectWellFormed, opaqueValuesOf, textOf } from './support/wire-checks';

/** Without the recordings there is nothing to answer with. */
test.skip(!hasFixtures, `The recorded streams are not there (${fixturePath('streams')}).`);

test.beforeEach(async ({ app, page }) => {
  await app.open();
  await onlyTalk(page);
});

/** The line of the call: its own, or the one that it shares with the thought before it. */
const wish = (message: Locator, { tool }: HalfCall): Locator => message.getByRole('button', { name: new RegExp(`${tool}$`) }).first();

/** Asks, waits until the call is being written, and presses the stop button. */
async function stopInCall(app: App, question: string, half: HalfCall, answer: Locator): Promise<void> {
  app.server.enqueue(unfinished(half.stream));
  await app.send(question);
  await expect(wish(answer, half)).toBeVisible();
  await pressStop(app, answer);
}

/** The server hears of it, and the answer is at rest. */
async function pressStop(app: App, answer: Locator): Promise<void> {
  await app.stop.click();
  await app.server.nextClose();
  await app.atRest();
  await expect(answer).toHaveAttribute('data-status', 'interrupted');
}

/** Nothing in the answer looks as if it were still going on, and the next message can be written. */
async function expectAtRest(app: App, answer: Locator): Promise<void> {
  await app.atRest();
  await expect(answer).toContainText('Stopped.');
  await expect(answer).not.toContainText(/Using |Searching /);
  await expect(answer.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect.poll(() => endlessAnimations(app)).toBe(0);
  await expect(app.composer).toBeEditable();
  await app.composer.fill('Next');
  await expect(app.page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await app.composer.fill('');
}

/** What turns, breathes or blinks until something happens. */
const endlessAnimations = (app: App): Promise<number> =>
  app.page.evaluate(
    () =>
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations === Infinity && animation.playState === 'running').length,
  );

for (const before of BEFORE) {
  test(`a conversation stopped in a call at every protocol, after ${before}, can always go on`, async ({ app, server, page }) => {
    test.setTimeout(120_000);
    await startEverywhere(app);
    const halves = PLACES.map(({ protocol }) => ({ maker: protocol, ...halfCall(protocol, before) }));
    for (const [index, each] of PLACES.entries()) {
      await choose(page, each);
      await stopInCall(app, `Question ${index}`, halfCall(each.protocol, before), app.message(2 * index + 1));
    }
    for (const [index, each] of PLACES.entries()) {
      await choose(page, each);
      server.enqueue(replay(WHOLE_ANSWERS[each.protocol]));
      await app.ask(`Question ${PLACES.length + index}`);
      await expect(app.message(2 * (PLACES.length + index) + 1), each.protocol).toHaveAttribute('data-status', 'complete');
    }
    const requests = asked(server);
    expect(requests.map(protocolOf)).toEqual([...PLACES, ...PLACES].map(({ protocol }) => protocol));
    for (const [index, request] of requests.entries()) {
      const texts = expectWellFormed(request).map(textOf);
      expect(texts).toHaveLength(2 * index + 1);
      expect(texts.at(-1)).toBe(`Question ${index}`);
      const body = JSON.stringify(request.body);
      for (const [place, { maker, stream, tool }] of halves.entries()) {
        if (place >= index) continue;
        expect(texts[2 * place + 1]).toContain(`tool ${tool}`);
        expect(texts[2 * place + 1]).toContain('was not run');
        if (maker === protocolOf(request)) continue;
        for (const value of opaqueValuesOf(stream)) expect(body, `${maker} → ${protocolOf(request)}`).not.toContain(value);
      }
    }
  });
}

test('a thought that was whole goes back to its maker after the stop, unless it led to the call', async ({ app, server, page }) => {
  test.setTimeout(90_000);
  await startEverywhere(app);
  const makers = PLACES.filter(({ protocol }) => protocol === 'anthropic-messages' || protocol === 'openai-responses');
  const visits = makers.flatMap((place) => (['words', 'thoughts'] as const).map((before) => ({ place, before })));
  for (const [index, { place, before }] of visits.entries()) {
    await choose(page, place);
    await stopInCall(app, `Question ${index}`, halfCall(place.protocol, before), app.message(2 * index + 1));
  }
  for (const { protocol, ...place } of makers) {
    await choose(page, { protocol, ...place });
    server.enqueue(replay(WHOLE_ANSWERS[protocol]));
    await app.ask('And now?');
    const request = asked(server).at(-1);
    if (request === undefined) throw new Error('nothing was asked');
    const turns = expectWellFormed(request);
    const thoughts = visits.map((_visit, index) => turns[2 * index + 1]?.blocks.filter(({ type }) => type === 'thought').length);
    expect(thoughts).toEqual(visits.map((visit) => (visit.before === 'words' && visit.place.protocol === protocol ? 1 : 0)));
  }
});

for (const { protocol } of PLACES) {
  test(`${protocol}: an answer stopped in a call is at rest, and Continue goes on behind it`, async ({ app, server, page }) => {
    await startWith(app, protocol);
    const half = halfCall(protocol, 'words');
    const answer = app.message(1);
    server.enqueue(unfinished(half.stream));
    await app.send('Hello');
    await wish(answer, half).click();
    if (half.argumentsText !== '') await expect(answer).toContainText(half.argumentsText);
    await pressStop(app, answer);
    await expectAtRest(app, answer);
    await app.accessible();

    await page.reload();
    await expectAtRest(app, answer);
    await wish(answer, half).click();
    if (half.argumentsText !== '') await expect(answer).toContainText(half.argumentsText);
    await expect(answer).toContainText('It was not run.');
    await app.accessible();

    const words = (await answer.locator('.markdown').first().textContent()) ?? '';
    server.enqueue(replay(WHOLE_ANSWERS[protocol]));
    await answer.getByRole('button', { name: 'Continue' }).click();
    await expect(answer).toHaveAttribute('data-status', 'complete');
    await app.atRest();
    await expect(wish(answer, half)).toBeVisible();
    await expect(answer.locator('.markdown').first()).toContainText(words.trim());
    server.enqueue(replay(WHOLE_ANSWERS[protocol]));
    await app.ask('And then?');

    const [, goingOn, next] = asked(server).map(expectWellFormed);
    expect(goingOn).toHaveLength(3);
    expect(next).toHaveLength(3);
    for (const turns of [goingOn, next]) expect(turns?.map(textOf)[1]).toContain('was not run');
  });

  test(`${protocol}: an answer that is nothing but a stopped call is at rest, and can be tried again`, async ({ app, server, page }) => {
    await startWith(app, protocol);
    const half = halfCall(protocol, 'nothing');
    const answer = app.message(1);
    await stopInCall(app, 'Hello', half, answer);
    await expectAtRest(app, answer);
    await app.accessible();
    await page.reload();
    await expect(wish(answer, half)).toBeVisible();
    await expectAtRest(app, answer);
    await expect(answer.getByRole('button', { name: 'Continue' })).toHaveCount(0);

    server.enqueue(replay(WHOLE_ANSWERS[protocol]));
    await answer.getByRole('button', { name: 'Try again' }).click();
    await expect(answer).toHaveAttribute('data-status', 'complete');
    await page.getByRole('button', { name: /^Previous/ }).click();
    await expect(wish(answer, half)).toBeVisible();
    server.enqueue(replay(WHOLE_ANSWERS[protocol]));
    await app.ask('And then?');
    const [, again, next] = asked(server).map(expectWellFormed);
    expect(again?.map(textOf)).toEqual(['Hello']);
    expect(next?.map(textOf)[1]).toContain(`tool ${half.tool}`);
  });
}

for (const [protocol, thought] of [
  ['anthropic-messages', signedThought],
  ['openai-responses', encryptedThought],
] as const) {
  test(`${protocol}: an answer stopped in a call, and once more in the thoughts of going on, leaves none behind`, async ({
    app,
    server,
  }) => {
    await startWith(app, protocol);
    const answer = app.message(1);
    await stopInCall(app, 'Hello', halfCall(protocol, 'words'), answer);
    server.enqueue(unfinished(thought()));
    await answer.getByRole('button', { name: 'Continue' }).click();
    await expect(answer.getByRole('button', { name: /^Thought/ })).toHaveCount(2);
    await pressStop(app, answer);
    await expectAtRest(app, answer);
    server.enqueue(replay(WHOLE_ANSWERS[protocol]));
    await app.ask('And then?');
    for (const request of asked(server)) expectWellFormed(request);
  });
}

/** Work of the server's own that was asked for, and has no result yet. */
const SEARCHES: readonly (readonly [name: string, protocol: Protocol, stream: () => string])[] = [
  ['in the words of a search', 'anthropic-messages', () => eventsTo('anthropic/web-search-citations', ' Ruby v')],
  ['in a search', 'anthropic-messages', () => eventsTo('anthropic/web-search-citations', '"content_block_stop"')],
  [
    'in a search after a thought',
    'anthropic-messages',
    () => `${signedThought()}${afterThought(eventsTo('anthropic/web-search-citations', '"content_block_stop"'))}`,
  ],
  ['in a search', 'openai-responses', () => eventsTo('openai-responses/web-search', 'web_search_call.searching')],
];

/** The blocks of a stream behind another one's first. */
function afterThought(stream: string): string {
  return stream.replace(/^event: message_start\n.*\n\n/, '').replaceAll('"index":0', '"index":1');
}

for (const [name, protocol, stream] of SEARCHES) {
  test(`${protocol}: an answer stopped ${name} at the provider is at rest, and the next message is taken`, async ({
    app,
    server,
    page,
  }) => {
    await startWith(app, protocol);
    const answer = app.message(1);
    server.enqueue(unfinished(stream()));
    await app.send('What is new?');
    await expect(answer).toContainText(/Searching the web/);
    expect(await endlessAnimations(app)).toBeGreaterThan(0);
    await pressStop(app, answer);
    await expect(answer).toContainText('The web search was stopped');
    await expectAtRest(app, answer);
    await app.accessible();
    await page.reload();
    await expect(answer).toContainText('The web search was stopped');
    await expectAtRest(app, answer);
    server.enqueue(replay(WHOLE_ANSWERS[protocol]));
    await app.ask('And then?');
    for (const request of asked(server)) expectWellFormed(request);
  });
}

test('answers stopped before their first word leave one question behind, at every protocol', async ({ app, server, page }) => {
  test.setTimeout(60_000);
  await startEverywhere(app);
  for (const [index, each] of PLACES.entries()) {
    await choose(page, each);
    server.enqueue({ type: 'hang' });
    await app.send(`Question ${index}`);
    await server.nextRequest();
    await pressStop(app, app.message(2 * index + 1));
    await expectAtRest(app, app.message(2 * index + 1));
  }
  const questions = asked(server).map((request) => expectWellFormed(request).map(textOf).join());
  expect(questions).toHaveLength(PLACES.length);
  expect(questions.at(-1)?.match(/Question \d/g)).toHaveLength(PLACES.length);
});
