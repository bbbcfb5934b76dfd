import { describe, expect, it } from 'vitest';
import { startLiveRun } from '../../../src/app/chat/live-run';
import { contentOf, hasText, summarise } from '../../../src/app/chat/message-content';
import type { MessageNode, StepContent } from '../../../src/core/node';

const step = (number: number, words: string, changes: Partial<StepContent> = {}): StepContent => ({
  step: number,
  parts: [{ type: 'text', step: number, text: words }],
  ...changes,
});
const node = (steps: readonly StepContent[], status: MessageNode['status'] = 'complete'): MessageNode => ({
  id: 'n',
  conversationId: 'c',
  parentId: null,
  role: 'assistant',
  status,
  revision: 1,
  createdAt: 1,
  tokens: 0,
  steps,
  siblings: ['n'],
});
const live = startLiveRun(
  {
    runId: 'r',
    conversationId: 'c',
    nodeId: 'n',
    revision: 1,
    phase: 'streaming',
    step: 2,
    parts: [{ type: 'text', step: 2, text: 'second' }],
    model: { accountId: 'a', modelId: 'm' },
    startedAt: 1,
  },
  undefined,
);
const words = (content: ReturnType<typeof contentOf>): string[] =>
  content.parts.map(({ part }) => ('text' in part ? part.text : part.type));

describe('contentOf', () => {
  it('shows finished steps of the stored node under the running step', () => {
    const content = contentOf(node([step(1, 'first'), step(2, 'stale')], 'running'), live);
    expect(words(content)).toEqual(['first', 'second']);
    expect(content.status).toBe('running');
    expect(content.run?.phase).toBe('streaming');
  });

  it('gives a part the same key while it streams and once it is stored', () => {
    const streaming = contentOf(node([step(1, 'first')], 'running'), live);
    const stored = contentOf(node([step(1, 'first'), step(2, 'second and more')]), null);
    expect(stored.parts.map(({ key }) => key)).toEqual(streaming.parts.map(({ key }) => key));
  });

  it('takes model, error and reason from the last step', () => {
    const error = { code: 'auth', retryable: false, details: {} } as const;
    const content = contentOf(
      node([step(1, 'x', { finishReason: 'stop' }), step(2, '', { error, finishReason: 'error' })], 'failed'),
      null,
    );
    expect(content.error).toEqual(error);
    expect(content.finishReason).toBe('error');
    expect(content.run).toBeNull();
  });

  it('tells text from blank text', () => {
    expect(hasText(contentOf(node([step(1, ' \n')]), null))).toBe(false);
    expect(hasText(contentOf(node([step(1, 'a')]), null))).toBe(true);
  });
});

describe('summarise', () => {
  it('adds what was written and takes the last count of what was read', () => {
    const usage = summarise([
      step(1, '', { usage: { inputTokens: 100, outputTokens: 20 }, startedAt: 0, firstOutputAt: 1000, endedAt: 3000 }),
      step(2, '', { usage: { inputTokens: 130, outputTokens: 40 }, startedAt: 10_000, firstOutputAt: 11_000, endedAt: 15_000 }),
    ]);
    expect(usage).toEqual({ inputTokens: 130, outputTokens: 60, tokensPerSecond: 10, seconds: 8 });
  });

  it('says nothing where nothing is known, and no speed without times', () => {
    expect(summarise([step(1, 'x')])).toBeNull();
    expect(summarise([step(1, 'x', { usage: { outputTokens: 5 } })])).toEqual({
      inputTokens: null,
      outputTokens: 5,
      tokensPerSecond: null,
      seconds: null,
    });
  });

  it('has no speed where everything came at once', () => {
    const usage = summarise([step(1, 'x', { usage: { outputTokens: 5 }, startedAt: 0, firstOutputAt: 10, endedAt: 10 })]);
    expect(usage?.tokensPerSecond).toBeNull();
  });
});
