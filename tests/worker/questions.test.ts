import { describe, expect, test, vi } from 'vitest';
import type { ToolPart } from '../../src/core/node';
import type { QuestionAnswer } from '../../src/core/tool';
import { decide, expireQuestion, setQuestionClock } from '../../src/generation/decisions';
import { send } from '../../src/generation/entries';
import { readBranch } from '../../src/storage/content';
import { writeSetting } from '../../src/storage/settings';
import { readWaits } from '../../src/storage/waits';
import { askUser } from '../../src/tools/ask-user';
import { followQuestions } from '../../src/worker/question-clocks';
import { settle, testDesk, TOOL_MODEL } from '../support/generation';

const CONVERSATION = 'aaaaaaaa-0000-4000-8000-000000000001';
const OTHER = 'aaaaaaaa-0000-4000-8000-000000000002';
const STAMP = { at: 5, device: 'device' };
const MINUTE_MS = 60_000;
const ASKED = {
  questions: [{ question: 'Which one?', options: [{ label: 'The old' }, { label: 'The new', recommended: true }] }],
};

/** An answer that asks, with a tab open beside it that follows its clock. */
async function asked(args: unknown = ASKED, timeoutMs: number | null = 3 * MINUTE_MS) {
  const setup = await testDesk({ tools: [askUser] });
  await writeSetting(setup.database, 'defaultModel', TOOL_MODEL, STAMP);
  await writeSetting(setup.database, 'questionTimeoutMs', timeoutMs, STAMP);
  const held = await setup.desk.sessions.acquire(CONVERSATION);
  if (held === null) throw new Error('the lock was free');
  const { session } = held;
  setup.provider.next().call('ask', 'ask_user', args).finishCalls();
  setup.provider.next().text('Very well.').finish();
  const draft = { text: 'Go', attachments: [] };
  const messageId = 'bbbbbbbb-0000-4000-8000-000000000001';
  const { answerId } = await send(setup.desk, session, { isNew: true, messageId, draft, answer: true, model: null });
  const call = { conversationId: CONVERSATION, nodeId: answerId ?? '', callId: 'ask' };
  await setup.heard.end();
  const part = async (): Promise<ToolPart | undefined> => {
    const node = (await readBranch(setup.database, CONVERSATION, { limit: 1 }))?.nodes.at(-1);
    const found = node?.steps[0]?.parts.find((candidate) => candidate.type === 'tool');
    return found?.type === 'tool' ? found : undefined;
  };
  const open = (): (() => void) =>
    followQuestions(
      setup.desk.environment,
      // As the worker does it: everything about a conversation one after the other.
      async (expired) => session.inOrder(async () => expireQuestion(setup.desk, session, expired)),
      (error) => {
        throw error;
      },
    );
  const answer = async (...answers: readonly QuestionAnswer[]) => decide(setup.desk, session, call, { type: 'answer', answers });
  return { ...setup, session, call, part, open, answer };
}

describe('a question', () => {
  test('waits with one stored deadline, and its answer is the result', async () => {
    const { part, answer, heard, clock, database, provider } = await asked();
    expect(await part()).toMatchObject({ approval: 'pending', deadline: { type: 'at', at: clock.now + 3 * MINUTE_MS } });
    expect(await readWaits(database)).toMatchObject([{ isQuestion: true, deadline: { type: 'at' } }]);
    await answer({ questionId: 'q1', label: 'The old' });
    await heard.end(2);
    expect(await part()).toMatchObject({ approval: 'answered', execution: 'done', result: { data: { timedOut: false } } });
    expect(await part()).not.toHaveProperty('deadline');
    expect(JSON.stringify(provider.requests[1]?.history)).toContain('The old');
  });

  test('that breaks a rule is not put, and the model reads which', async () => {
    const { part, heard } = await asked({ questions: [{ question: 'Which?', options: [{ label: 'Only one' }] }] });
    expect(await heard.end()).toMatchObject({ status: 'complete' });
    expect(await part()).toMatchObject({ approval: 'auto', execution: 'failed', failure: 'arguments-invalid' });
    expect((await part())?.result?.text).toContain('2 to 6');
  });

  test('refuses answers that are not complete, and goes on waiting', async () => {
    const { part, answer } = await asked();
    await expect(answer()).rejects.toMatchObject({ code: 'answer-incomplete' });
    await expect(answer({ questionId: 'q1', label: 'Neither' })).rejects.toMatchObject({ code: 'answer-incomplete' });
    expect(await part()).toMatchObject({ approval: 'pending', execution: 'open' });
  });

  test('refuses an answer that comes for another conversation', async () => {
    const { desk, call, part } = await asked();
    const held = await desk.sessions.acquire(OTHER);
    if (held === null) throw new Error('the lock was free');
    const answers = [{ questionId: 'q1', label: 'The old' }];
    const word = decide(desk, held.session, { ...call, conversationId: OTHER }, { type: 'answer', answers });
    await expect(word).rejects.toMatchObject({ code: 'call-elsewhere' });
    expect(await part()).toMatchObject({ approval: 'pending' });
  });

  test('answers itself as it recommends when its time runs out in an open tab', async () => {
    const { open, clock, heard, part } = await asked();
    open();
    await vi.waitUntil(() => clock.ringing(3 * MINUTE_MS) === 1);
    clock.advance(3 * MINUTE_MS - 1);
    await settle();
    expect(heard.ends).toHaveLength(1);
    clock.advance(1);
    await heard.end(2);
    expect(await part()).toMatchObject({ approval: 'answered', result: { data: { timedOut: true, answers: [{ answer: 'The new' }] } } });
  });

  test('settles when a tab wakes that slept over its deadline, and once however many tabs follow it', async () => {
    const { open, clock, heard, provider } = await asked();
    open();
    open();
    await vi.waitUntil(() => clock.ringing(3 * MINUTE_MS) === 2);
    clock.advance(10 * MINUTE_MS);
    await heard.end(2);
    await settle();
    expect(provider.requests).toHaveLength(2);
  });

  test('is left to the user where its time ran out while no tab was open', async () => {
    const { open, clock, heard, part, answer } = await asked();
    clock.advance(10 * MINUTE_MS);
    open();
    await settle();
    clock.advance(60 * MINUTE_MS);
    await settle();
    expect(heard.ends).toHaveLength(1);
    expect(await part()).toMatchObject({ approval: 'pending', execution: 'open' });
    await answer({ questionId: 'q1', label: 'The new' });
    await heard.end(2);
    expect(await part()).toMatchObject({ approval: 'answered' });
  });

  test('goes by the stored deadline when the clock is set an hour back', async () => {
    const { open, clock, heard } = await asked();
    open();
    await vi.waitUntil(() => clock.ringing(3 * MINUTE_MS) === 1);
    clock.now -= 60 * MINUTE_MS;
    clock.advance(3 * MINUTE_MS);
    await settle();
    expect(heard.ends).toHaveLength(1);
    clock.advance(60 * MINUTE_MS);
    await heard.end(2);
  });

  test('has a clock that can be stopped, started again, and taken away', async () => {
    const { desk, session, call, open, clock, heard, part } = await asked();
    open();
    await vi.waitUntil(() => clock.ringing(3 * MINUTE_MS) === 1);
    clock.advance(MINUTE_MS);
    await setQuestionClock(desk, session, call, 'pause');
    expect(await part()).toMatchObject({ deadline: { type: 'paused', leftMs: 2 * MINUTE_MS } });
    await vi.waitUntil(() => clock.ringing(2 * MINUTE_MS) === 0);
    clock.advance(10 * MINUTE_MS);
    await setQuestionClock(desk, session, call, 'resume');
    await vi.waitUntil(() => clock.ringing(2 * MINUTE_MS) === 1);
    expect(await part()).toMatchObject({ deadline: { type: 'at', at: clock.now + 2 * MINUTE_MS } });
    await setQuestionClock(desk, session, call, 'off');
    await vi.waitUntil(() => clock.ringing(2 * MINUTE_MS) === 0);
    clock.advance(60 * MINUTE_MS);
    await settle();
    expect(heard.ends).toHaveLength(1);
    expect(await part()).not.toHaveProperty('deadline');
  });

  test('that the user declines is told as declined, and nothing is assumed', async () => {
    const { desk, session, call, heard, part } = await asked();
    await decide(desk, session, call, { type: 'deny', scope: 'once', reason: '' });
    await heard.end(2);
    expect(await part()).toMatchObject({ approval: 'denied', failure: 'unanswered' });
    expect((await part())?.result?.text).toContain('Do not assume');
  });

  test('without a time-out waits for ever', async () => {
    const { part, database } = await asked(ASKED, null);
    expect(await part()).toMatchObject({ approval: 'pending' });
    expect(await part()).not.toHaveProperty('deadline');
    expect((await readWaits(database))[0]).not.toHaveProperty('deadline');
  });
});
