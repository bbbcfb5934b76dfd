import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
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

const QUESTIONS: ToolPart['questions'] = [
  {
    id: 'q1',
    prompt: 'Which format?',
    options: [
      { label: 'A list', description: 'Short lines.', isRecommended: true },
      { label: 'A table', isRecommended: false },
    ],
  },
  {
    id: 'q2',
    prompt: 'How long?',
    options: [
      { label: 'Short', isRecommended: false },
      { label: 'Long', isRecommended: false },
    ],
  },
];

/** A conversation whose answer waits for these calls. */
async function waitingFor(...calls: readonly ToolPart[]) {
  const app = await createFakeApp();
  const decide = vi.fn(async () => Promise.resolve(null));
  const clock = vi.fn(async () => Promise.resolve(null));
  app.engine.handlers.decide = decide;
  app.engine.handlers['question-clock'] = clock;
  const question = userNode(null, 'Go');
  const answer = answerNode(question.id, { parts: [text('Let me see.'), ...calls], finishReason: 'tool_calls' }, 'awaiting');
  await openChat(app, await seedConversation(app.database, [question, answer]));
  const decisions = (): readonly unknown[] => app.engine.calls.filter(({ name }) => name === 'decide').map(({ args }) => args);
  return { app, decisions, clock, bar: page.getByRole('region', { name: 'Waiting for you' }) };
}

describe('the bar of what waits', () => {
  it('lists every call with its arguments, and takes a word about each', async () => {
    const { bar, decisions } = await waitingFor(call('a'), call('b', { argumentsText: '{"prompt":"a magpie"}' }));
    await expect.element(bar.getByText('a jackdaw')).toBeVisible();
    await expect.element(bar.getByText('a magpie')).toBeVisible();
    await bar.getByRole('button', { name: 'Don’t run' }).nth(1).click();
    expect(decisions()).toMatchObject([{ callId: 'b', decision: { type: 'deny', scope: 'once', reason: '' } }]);
  });

  it('sends changed arguments only once they are an object, and the model’s own where they were taken back', async () => {
    const { bar, decisions } = await waitingFor(call('a'));
    await bar.getByRole('button', { name: 'Change' }).click();
    const field = bar.getByLabelText('Arguments as JSON');
    await field.fill('[1]');
    await expect.element(bar.getByText('This is not one JSON object yet.')).toBeVisible();
    await expect.element(bar.getByRole('button', { name: 'Run once' })).toBeDisabled();
    await field.fill('{"prompt":"two jackdaws"}');
    await bar.getByRole('button', { name: 'Run once' }).click();
    expect(decisions()).toMatchObject([{ decision: { type: 'approve', argumentsText: '{"prompt":"two jackdaws"}' } }]);
  });

  it('shows hostile names and arguments as what they are: text', async () => {
    const { bar } = await waitingFor(
      call('a', { name: '<img src=x onerror=alert(1)>', argumentsText: '{"x":"<script>alert(1)</script>"}' }),
    );
    await expect.element(bar.getByText('<img src=x onerror=alert(1)> wants to run')).toBeVisible();
    expect(bar.element().querySelector('script, img')).toBeNull();
  });

  it('fits a phone', async () => {
    await page.viewport(390, 700);
    const { bar } = await waitingFor(call('a', { argumentsText: JSON.stringify({ prompt: 'x'.repeat(3000) }) }));
    await expect.element(bar).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth);
    await page.viewport(414, 896);
  });
});

describe('a question', () => {
  it('has its recommended choice first and chosen, goes on to the next by itself, and takes own words', async () => {
    const { bar, decisions } = await waitingFor(call('q', { name: 'ask_user', questions: QUESTIONS }));
    await expect.element(bar.getByRole('radio', { name: /A list/ })).toBeChecked();
    await expect.element(bar.getByRole('button', { name: 'Answer', exact: true })).toBeDisabled();
    await bar.getByRole('radio', { name: 'A table' }).click();
    await expect.element(bar.getByText('How long?')).toBeVisible();
    await bar.getByLabelText('Your own answer').fill('A page');
    await userEvent.keyboard('{Enter}');
    expect(decisions()).toMatchObject([
      {
        decision: {
          type: 'answer',
          answers: [
            { questionId: 'q1', label: 'A table' },
            { questionId: 'q2', custom: 'A page' },
          ],
        },
      },
    ]);
  });

  it('shows how long it waits by the stored deadline, and whether its clock stands', async () => {
    const at = Date.now() + 120_000;
    const { bar, clock } = await waitingFor(call('q', { name: 'ask_user', questions: QUESTIONS, deadline: { type: 'at', at } }));
    await expect.element(bar.getByRole('timer')).toHaveTextContent(/Answers itself in (2:00|1:5\d)/);
    await bar.getByRole('button', { name: 'Pause' }).click();
    expect(clock).toHaveBeenCalledOnce();
  });

  it('whose time ran out while nobody was here is left to the user', async () => {
    const { bar, decisions } = await waitingFor(
      call('q', { name: 'ask_user', questions: QUESTIONS, deadline: { type: 'at', at: Date.now() - 3_600_000 } }),
    );
    await expect.element(bar.getByText(/The time ran out while nobody was here/)).toBeVisible();
    await bar.getByRole('button', { name: 'Use the recommended' }).click();
    expect(decisions()).toMatchObject([
      {
        decision: {
          answers: [
            { questionId: 'q1', label: 'A list' },
            { questionId: 'q2', label: 'Short' },
          ],
        },
      },
    ]);
  });
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
