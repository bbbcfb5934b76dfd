import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/core/errors';
import { textOf } from '../../src/core/node';
import { continueAnswer, send } from '../../src/generation/entries';
import { readNode } from '../../src/storage/content';
import { readRun } from '../../src/storage/runs';
import { settle, testDesk } from '../support/generation';

const CONVERSATION = 'aaaaaaaa-0000-4000-8000-000000000001';
const HOUR_MS = 3_600_000;
const JUMPS = [
  ['forward', 5 * HOUR_MS],
  ['back', -5 * HOUR_MS],
] as const;

async function asked() {
  const setup = await testDesk();
  const held = await setup.desk.sessions.acquire(CONVERSATION);
  if (held === null) throw new Error('the lock was free');
  const answer = setup.provider.next();
  const messageId = 'bbbbbbbb-0000-4000-8000-000000000001';
  const draft = { text: 'Tell', attachments: [] };
  const { answerId } = await send(setup.desk, held.session, { isNew: true, messageId, draft, answer: true, model: null });
  await setup.provider.asked(1);
  const stored = async () => {
    const node = await readNode(setup.database, CONVERSATION, answerId ?? '');
    const step = node?.steps[0];
    if (node === undefined || step === undefined) throw new Error('the answer is stored');
    return { node, step };
  };
  return { ...setup, session: held.session, answer, answerId: answerId ?? '', stored };
}

describe.each(JUMPS)('a clock that is set %s in the middle of an answer', (_way, jumpMs) => {
  test('changes nothing about when it is shown and saved', async () => {
    const { answer, answerId, clock, heard, database } = await asked();
    answer.text('1');
    await settle();
    clock.advance(100);
    clock.now += jumpMs;
    answer.text(' 2');
    await settle();
    clock.advance(150);
    expect(heard.shown(answerId)).toBe('1 2');
    clock.advance(800);
    await settle();
    expect(textOf((await readRun(database, CONVERSATION))?.body.parts ?? [])).toBe('1 2');
  });

  test('changes nothing about how long it took', async () => {
    const { answer, clock, heard, stored } = await asked();
    answer.say({ type: 'reasoning-delta', text: 'hm' });
    await settle();
    clock.advance(1000);
    clock.now += jumpMs;
    answer.text('Hi');
    await settle();
    clock.advance(2000);
    answer.finish();
    await heard.end();
    const { step } = await stored();
    const [thought] = step.parts;
    expect((step.endedAt ?? 0) - (step.startedAt ?? 0)).toBe(3000);
    expect(thought?.type === 'reasoning' ? (thought.endedAt ?? 0) - thought.startedAt : 0).toBe(1000);
  });

  test('changes nothing about when it is asked for again, and the countdown is told anew', async () => {
    const { answer, clock, heard, provider } = await asked();
    answer.say(new AppError('rate-limit', { retryable: true, details: { retryAfterMs: 9000 } }));
    await settle();
    const told = (): number => (heard.deltas.at(-1)?.retry?.resumesAt ?? 0) - clock.now;
    const before = told();
    clock.now += jumpMs;
    clock.advance(1000);
    await settle();
    expect(told()).toBe(before - 1000);
    for (let second = 0; second < 9; second++) {
      clock.advance(1000);
      await settle();
    }
    await provider.asked(2);
  });

  test('is no reason to give up asking', async () => {
    const { answer, clock, heard, provider } = await asked();
    clock.now += jumpMs;
    answer.say(new AppError('overloaded', { retryable: true }));
    await settle();
    expect(heard.deltas.at(-1)?.phase).toBe('waiting');
    clock.advance(2000);
    await provider.asked(2);
  });
});

test('a tab that slept through the pause asks again as soon as it wakes', async () => {
  const { answer, clock, provider } = await asked();
  answer.say(new AppError('rate-limit', { retryable: true, details: { retryAfterMs: 20_000 } }));
  await settle();
  // One timer rings, late by minutes.
  clock.advance(10 * 60_000);
  await provider.asked(2);
});

test('a tab that slept in the middle of an answer shows and saves at once what came meanwhile', async () => {
  const { answer, answerId, clock, heard, database } = await asked();
  answer.text('1');
  await settle();
  clock.advance(10 * 60_000);
  answer.text(' 2');
  await settle();
  clock.advance(150);
  expect(heard.shown(answerId)).toBe('1 2');
  clock.advance(800);
  await settle();
  expect(textOf((await readRun(database, CONVERSATION))?.body.parts ?? [])).toBe('1 2');
});

test('a continued answer took as long as both requests, whatever lay between them', async () => {
  const { desk, session, answer, answerId, clock, heard, provider, stored } = await asked();
  clock.advance(500);
  answer.text('Half');
  await settle();
  clock.advance(1500);
  await session.stop();
  clock.advance(3 * HOUR_MS);
  const rest = provider.next();
  await continueAnswer(desk, session, answerId);
  await provider.asked(2);
  clock.advance(1000);
  rest.text(' and half').finish();
  await heard.end(2);
  const { step } = await stored();
  expect((step.endedAt ?? 0) - (step.startedAt ?? 0)).toBe(3000);
  expect((step.firstOutputAt ?? 0) - (step.startedAt ?? 0)).toBe(500);
});
