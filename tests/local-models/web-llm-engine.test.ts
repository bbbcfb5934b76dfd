import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/core/errors';
import type { LocalRequest } from '../../src/core/local-model';
import { loadOnGpu } from '../../src/local-models/web-llm-engine';

/** The package's engine, as a test plays it: what a load and an answer do, and what it was asked. */
interface Played {
  load(report: (text: string, progress: number) => void): Promise<void>;
  pieces: readonly (object | Error)[];
  asked: unknown;
  interrupts: number;
  unloads: number;
}
const played = vi.hoisted((): Played => ({ load: async () => undefined, pieces: [], asked: undefined, interrupts: 0, unloads: 0 }));

vi.mock('../../src/local-models/web-llm-package', () => ({
  loadWebLlm: async () => ({
    prebuiltAppConfig: { model_list: [] },
    MLCEngine: class {
      readonly #report: (report: { text: string; progress: number; timeElapsed: number }) => void;
      readonly chat = {
        completions: {
          create: async (request: unknown) => {
            played.asked = request;
            return (async function* () {
              for (const piece of played.pieces) {
                if (piece instanceof Error) throw piece;
                yield piece;
              }
            })();
          },
        },
      };

      constructor(config: { initProgressCallback: (report: { text: string; progress: number; timeElapsed: number }) => void }) {
        this.#report = config.initProgressCallback;
      }

      async reload(): Promise<void> {
        await played.load((text, progress) => {
          this.#report({ text, progress, timeElapsed: 0 });
        });
      }

      async interruptGenerate(): Promise<void> {
        played.interrupts += 1;
      }

      async unload(): Promise<void> {
        played.unloads += 1;
      }
    },
  }),
}));

const named = (name: string, message = name): Error => Object.assign(new Error(message), { name });
const piece = (content: string, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

beforeEach(() => {
  Object.assign(played, { load: async () => undefined, pieces: [], asked: undefined, interrupts: 0, unloads: 0 });
});

const load = async (onProgress: (progress: number) => void = () => undefined) =>
  loadOnGpu({ engine: 'web-llm', recordId: 'a-model', contextTokens: 4096 }, onProgress);

async function answer(given: Partial<LocalRequest> = {}, signal: AbortSignal = new AbortController().signal) {
  const engine = await load();
  const request: LocalRequest = {
    modelId: 'a-model',
    body: { messages: [{ role: 'user', content: 'Hello' }] },
    thinking: null,
    priority: 'chat',
    ...given,
  };
  const chunks: JsonObject[] = [];
  let tokensPerSecond: number | undefined;
  for await (const said of engine.chunks(request, signal)) {
    chunks.push(said.chunk);
    tokensPerSecond = said.tokensPerSecond ?? tokensPerSecond;
  }
  return { chunks, tokensPerSecond };
}

describe('a load', () => {
  test('is told as one progress, although the package begins three times', async () => {
    played.load = async (report) => {
      for (const text of ['Fetching param cache[1/2]', 'Loading model from cache[1/2]', 'Loading GPU shader modules[1/2]']) {
        for (const progress of [0, 0.5, 1]) report(text, progress);
      }
      report('Finish loading on WebGPU', 1);
    };
    const told: number[] = [];
    await load((progress) => told.push(progress));
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(0)).toBe(0);
    expect(told.at(-1)).toBe(1);
  });

  test.each([
    [named('DeviceLostError', 'The WebGPU device was lost while loading the model.'), 'device-lost'],
    [new Error('Out of memory: createBuffer failed'), 'out-of-memory'],
    [named('LinkError', 'import is not a function'), 'model-load-failed'],
    [named('IntegrityError', 'hash mismatch'), 'model-load-failed'],
    [named('ShaderF16SupportError'), 'model-load-failed'],
    [new Error('Unable to find a compatible GPU.'), 'model-load-failed'],
  ])('that fails with %s is %s, and leaves nothing loaded', async (failure, code) => {
    played.load = async () => Promise.reject(failure);
    await expect(load()).rejects.toMatchObject({ code });
    expect(played.unloads).toBe(1);
  });
});

describe('an answer', () => {
  test('has its pieces, its reason and its counts, which come without a choice', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7, extra: { decode_tokens_per_s: 33 } };
    played.pieces = [piece('Hel'), piece('lo'), piece('', 'stop'), { choices: [], usage }];
    const { chunks, tokensPerSecond } = await answer();
    expect(chunks).toEqual([
      { choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } },
    ]);
    expect(tokensPerSecond).toBe(33);
  });

  test('is stopped by a word to the package, whose own reason is not told', async () => {
    const controller = new AbortController();
    const engine = await load();
    played.pieces = [piece('Hel'), piece('', 'abort')];
    const chunks: JsonObject[] = [];
    const request: LocalRequest = { modelId: 'a-model', body: { messages: [] }, thinking: null, priority: 'chat' };
    for await (const { chunk } of engine.chunks(request, controller.signal)) {
      chunks.push(chunk);
      controller.abort();
    }
    expect(played.interrupts).toBe(1);
    expect(JSON.stringify(chunks)).not.toContain('abort');
  });

  test.each([
    [null, undefined],
    [false, { enable_thinking: false }],
    [true, { enable_thinking: true }],
  ] as const)('with thinking %s asks for %s', async (thinking, extra_body) => {
    played.pieces = [piece('a', 'stop')];
    await answer({ thinking });
    expect(played.asked).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(played.asked).toHaveProperty('messages', [{ role: 'user', content: 'Hello' }]);
    if (extra_body === undefined) expect(played.asked).not.toHaveProperty('extra_body');
    else expect(played.asked).toHaveProperty('extra_body', extra_body);
  });

  test('that calls a tool ends as one that does', async () => {
    const tool = { type: 'function', function: { name: 'get_time', parameters: { type: 'object' } } };
    played.pieces = [piece('<tool_'), piece('call>{"name": "get_time", "arguments": {}}</tool_call>'), piece('', 'stop')];
    const { chunks } = await answer({ body: { messages: [{ role: 'user', content: 'Time?' }], tools: [tool] } });
    expect(played.asked).not.toHaveProperty('tools');
    const calls = [{ index: 0, function: { name: 'get_time', arguments: '{}' } }];
    expect(chunks[1]).toEqual({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] });
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
  });

  test.each([
    [named('ContextWindowSizeExceededError'), 'context-overflow'],
    [named('DeviceLostError'), 'device-lost'],
    [new Error('Device was lost'), 'device-lost'],
    [new Error('out of memory'), 'out-of-memory'],
    [named('MessageOrderError'), 'internal'],
  ])('that fails with %s is %s', async (failure, code) => {
    played.pieces = [piece('Hel'), failure];
    await expect(answer()).rejects.toMatchObject({ code });
  });
});
