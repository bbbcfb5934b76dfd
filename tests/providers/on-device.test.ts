import { describe, expect, test } from 'vitest';
import { AppError, type JsonObject } from '../../src/core/errors';
import type { LocalEvent, LocalRequest } from '../../src/core/local-model';
import type { ModelRequest } from '../../src/core/request';
import type { StreamEvent } from '../../src/core/stream';
import { onDevice } from '../../src/providers/on-device';
import type { ProviderIo } from '../../src/providers/provider';
import { createTestGate } from '../outbound/test-gate';
import { cpuModel, DEVICE, GPU_MODEL } from '../support/local-host';
import { noDevice } from '../support/no-device';
import { testAccount, testRequest } from './run-provider';

const ACCOUNT = testAccount('', { id: 'this-device', provider: 'local-engine', preset: 'this-device' });

const chunk = (choice: JsonObject, usage?: JsonObject): LocalEvent => ({
  type: 'chunk',
  chunk: { choices: [{ index: 0, ...choice }], ...(usage === undefined ? {} : { usage }) },
});
const END: LocalEvent = { type: 'finish', isInterrupted: false, tokensPerSecond: 5 };

/** Everything that the engine says goes through the provider; what it was asked comes back too. */
async function run(
  says: readonly (LocalEvent | AppError)[],
  request: Partial<ModelRequest> = {},
): Promise<{ readonly events: readonly StreamEvent[]; readonly asked: LocalRequest | undefined; readonly failure: unknown }> {
  let asked: LocalRequest | undefined;
  const local: ProviderIo['local'] = {
    ...noDevice.local,
    async *generate(given) {
      asked = given;
      for (const event of says) {
        if (event instanceof AppError) throw event;
        yield event;
      }
    },
  };
  const events: StreamEvent[] = [];
  let failure: unknown;
  try {
    for await (const event of onDevice.stream(testRequest(request), ACCOUNT, ioWith(local))) events.push(event);
  } catch (error) {
    failure = error;
  }
  return { events, asked, failure };
}

function ioWith(local: ProviderIo['local']): ProviderIo {
  let ids = 0;
  return {
    gate: createTestGate().gate,
    key: null,
    signal: new AbortController().signal,
    newId: () => `id-${++ids}`,
    local,
    page: noDevice.page,
  };
}

describe('an answer of a model on this device', () => {
  test('is its text, its counts and one finish, after what it waits for', async () => {
    const { events, asked } = await run([
      { type: 'wait', wait: { type: 'loading', progress: 0.5 } },
      { type: 'wait', wait: { type: 'reading' } },
      chunk({ delta: { content: 'Hel' } }),
      chunk({ delta: { content: 'lo' } }),
      chunk({ delta: {}, finish_reason: 'stop' }, { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }),
      END,
    ]);
    expect(events).toEqual([
      { type: 'wait', wait: { type: 'loading', progress: 0.5 } },
      { type: 'wait', wait: { type: 'reading' } },
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo' },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } },
      { type: 'finish', reason: 'stop', rawReason: 'stop' },
    ]);
    expect(asked).toEqual({
      modelId: 'replay-model',
      body: { messages: [{ role: 'user', content: 'Hello' }], stream: true, stream_options: { include_usage: true } },
      thinking: null,
      priority: 'chat',
    });
  });

  test('calls a tool with ids of its own where the engine gives none', async () => {
    const call = { index: 0, function: { name: 'get_weather', arguments: '{"city":' } };
    const { events } = await run([
      chunk({ delta: { tool_calls: [call] } }),
      chunk({ delta: { tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] } }),
      chunk({ delta: {}, finish_reason: 'tool_calls' }),
      END,
    ]);
    expect(events.filter(({ type }) => type === 'tool-call-start')).toMatchObject([{ name: 'get_weather' }]);
    const text = events.map((event) => (event.type === 'tool-call-delta' ? event.argumentsText : '')).join('');
    expect(JSON.parse(text)).toEqual({ city: 'Paris' });
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
  });

  test.each([
    ['auto', null],
    ['off', false],
    ['high', true],
  ] as const)('reasoning %s asks it to think: %s', async (reasoning, thinking) => {
    const { asked } = await run([chunk({ delta: { content: 'a' }, finish_reason: 'stop' }), END], { reasoning });
    expect(asked?.thinking).toBe(thinking);
  });

  test('that was cut off in the engine is no whole answer', async () => {
    const { failure, events } = await run([chunk({ delta: { content: 'Half' } }), { ...END, isInterrupted: true }]);
    expect(events).toEqual([{ type: 'text-delta', text: 'Half' }]);
    expect(failure).toMatchObject({ code: 'stream-cut', retryable: true });
  });

  test('without a reason for its end is no whole answer either', async () => {
    expect((await run([chunk({ delta: { content: 'Half' } }), END])).failure).toMatchObject({ code: 'stream-cut' });
  });

  test('that fails fails with the engine’s code', async () => {
    expect((await run([new AppError('out-of-memory')])).failure).toMatchObject({ code: 'out-of-memory' });
  });
});

test('the models of the account are those that are stored', async () => {
  const entry = { fit: { fits: true, precision: null, isSlow: false }, tokensPerSecond: null, hasCrashed: false } as const;
  const io = ioWith({
    ...noDevice.local,
    look: async () => ({
      device: DEVICE,
      usedBytes: 1,
      entries: [
        { ...entry, model: cpuModel('absent'), status: { type: 'absent' } },
        { ...entry, model: cpuModel('ready'), status: { type: 'ready', storedBytes: 1 } },
        { ...entry, model: { ...GPU_MODEL, reasoning: true }, status: { type: 'loaded', storedBytes: 1 } },
      ],
    }),
  });
  expect(await onDevice.listModels(ACCOUNT, io)).toEqual([
    { id: 'ready', name: 'Model ready', capabilities: { vision: false, tools: true, reasoning: false, contextTokens: 4096 } },
    { id: 'gpu', name: 'Model gpu', capabilities: { vision: false, tools: true, reasoning: true, contextTokens: 4096 } },
  ]);
});
