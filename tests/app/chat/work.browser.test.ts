import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { ToolPart } from '../../../src/core/node';
import { answerNode, createFakeApp, seedConversation, text, userNode } from './fake-app';
import { openChat } from './open-chat';

const call = (callId: string, changes: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  step: 0,
  callId,
  wireId: callId,
  name: 'generate_image',
  argumentsText: '{"prompt":"a jackdaw"}',
  approval: 'pending',
  execution: 'open',
  ...changes,
});

describe('an answer that paused after many steps', () => {
  it('says how many it took, and goes on only when told to', async () => {
    const app = await createFakeApp();
    app.engine.handlers.continue = async () => Promise.resolve({ conversationId: '', nodeId: '', answerId: null });
    const question = userNode(null, 'Go');
    const answer = answerNode(question.id, { parts: [call('a', { approval: 'auto' })], finishReason: 'tool_calls' }, 'awaiting');
    await openChat(app, await seedConversation(app.database, [question, answer]));
    await expect.element(page.getByText('1 steps so far. Shall it go on?')).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(app.engine.calls.some(({ name }) => name === 'continue')).toBe(true);
  });
});

describe('what was done between two texts', () => {
  it('is one line that opens, also while it runs, with everything in order', async () => {
    const app = await createFakeApp();
    const done = (callId: string, name: string): ToolPart =>
      call(callId, { name, approval: 'auto', execution: 'done', result: { text: `result of ${callId}`, media: [] } });
    const question = userNode(null, 'Go');
    const parts = [
      text('First.'),
      { type: 'reasoning', step: 0, text: 'Hm.', startedAt: 1000, endedAt: 5000 } as const,
      done('a', 'task_create'),
      done('b', 'task_create'),
      done('c', '<b>odd</b>'),
      text('Last.'),
    ];
    await openChat(app, await seedConversation(app.database, [question, answerNode(question.id, { parts })]));
    await page.getByRole('button', { name: 'Thought for 4 s · Task list: add ×2 · <b>odd</b>' }).click();
    await page.getByRole('button', { name: 'Used <b>odd</b>' }).click();
    await expect.element(page.getByText('result of c')).toBeVisible();
    await page.getByRole('button', { name: 'Thought for 4 s', exact: true }).click();
    await expect.element(page.getByText('Hm.')).toBeVisible();
  });
});
