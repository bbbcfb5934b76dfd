import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHold, startReplayServer, type Answer, type ReplayServer } from '../../e2e/support/replay-server';
import { AppError, type ErrorCode } from '../../src/core/errors';
import type { Provider } from '../../src/providers/provider';
import { createTestGate, type TestGate } from '../outbound/test-gate';
import { endsProperly, runProvider, TEST_KEY, testAccount, testRequest, type RunResult } from '../providers/run-provider';
import { noDevice } from '../support/no-device';

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** A closed connection has to be seen by the server within this time of the abort. */
const CLOSE_WITHIN_MS = 200;

/**
 * What every provider keeps, against a real server through the real gate: its events, how it ends, what it sends and when it hangs up.
 * The server speaks Chat Completions;
 * errors, pages, silence and hanging up are the same for all.
 */
export function describeProvider(provider: Provider): void {
  /** What the server can only say in its own protocol; recorded answers show the same of the others. */
  const spoken = test.skipIf(provider.id !== 'openai-chat');
  describe(`provider ${provider.id}`, () => {
    let server: ReplayServer;
    let outbound: TestGate;
    beforeAll(async () => {
      server = await startReplayServer();
      outbound = createTestGate();
    });
    afterAll(() => server.close());

    const run = (options: Omit<Partial<Parameters<typeof runProvider>[1]>, 'gate'> = {}): Promise<RunResult> =>
      runProvider(provider, { account: testAccount(server.url), ...options, gate: outbound.gate });

    const lastBody = (): unknown => server.requests.at(-1)?.body;

    const expectFailure = (result: RunResult, code: ErrorCode, details: Record<string, unknown> = {}): void => {
      expect(endsProperly(result)).toBe(true);
      expect(result.failure).toBeInstanceOf(AppError);
      expect(result.failure).toMatchObject({ code, details });
    };

    spoken('streams text, counts usage and ends with one finish', async () => {
      server.enqueue({ type: 'text', text: 'Grüße, 漢字 👩‍👩‍👧', usage: USAGE, deltaSize: 3 });
      const result = await run();
      expect(endsProperly(result)).toBe(true);
      expect(result.text).toBe('Grüße, 漢字 👩‍👩‍👧');
      expect(result.usage).toEqual({ inputTokens: 11, outputTokens: 7 });
      expect(result.events.at(-1)).toEqual({ type: 'finish', reason: 'stop', rawReason: 'stop' });
    });

    spoken('sends model, messages and key, and nothing about itself', async () => {
      server.enqueue({ type: 'text', text: 'ok' });
      await run({ request: testRequest({ system: ['Be brief.'], sampling: { temperature: 0.5, maxTokens: 64 } }) });
      const request = server.requests.at(-1);
      expect(request?.body).toEqual({
        model: 'replay-model',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
        ],
        temperature: 0.5,
        max_tokens: 64,
        stream: true,
        stream_options: { include_usage: true },
      });
      expect(request?.headers['authorization']).toBe(`Bearer ${TEST_KEY}`);
      expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('x-') || name === 'cookie')).toEqual([]);
    });

    test('sends no key header without a key', async () => {
      server.enqueue({ type: 'text', text: 'ok' });
      await run({ key: null });
      for (const name of ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']) {
        expect(server.requests.at(-1)?.headers).not.toHaveProperty(name);
      }
    });

    spoken('tells thinking from text', async () => {
      server.enqueue({ type: 'text', reasoning: 'Let me see.', text: 'Four.' });
      const result = await run();
      expect([result.reasoning, result.text]).toEqual(['Let me see.', 'Four.']);
      expect(result.parts.map((part) => part.type)).toEqual(['reasoning', 'text']);
    });

    spoken('hands on calls with ids of its own', async () => {
      const calls = [
        { id: 'call_0', name: 'add', arguments: '{"a":1,"b":2}' },
        { id: 'call_1', name: 'clock', arguments: '' },
      ];
      server.enqueue({ type: 'text', text: '', calls });
      const tool = { name: 'add', description: 'Adds.', parameters: { type: 'object' } };
      const result = await run({ request: testRequest({ tools: [tool] }) });
      const parts = result.parts.filter((part) => part.type === 'tool');
      expect(parts.map(({ wireId, name, argumentsText }) => ({ id: wireId, name, arguments: argumentsText }))).toEqual(calls);
      expect(new Set(parts.map((part) => part.callId)).size).toBe(2);
      expect(result.events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
      expect(lastBody()).toMatchObject({ tools: [{ type: 'function', function: tool }] });
    });

    spoken('says that the limit ended the answer', async () => {
      server.enqueue({ type: 'text', text: 'Half of', finishReason: 'length' });
      const result = await run();
      expect(result.events.at(-1)).toEqual({ type: 'finish', reason: 'length', rawReason: 'length' });
    });

    test('a wrong key is auth and is not quoted back', async () => {
      server.enqueue({ type: 'error', status: 401, body: { error: { message: `Incorrect API key provided: ${TEST_KEY}.` } } });
      const result = await run();
      expectFailure(result, 'auth', { status: 401, message: 'Incorrect API key provided: •••.' });
      expect(JSON.stringify(result.failure)).not.toContain(TEST_KEY);
    });

    spoken('too many requests is rate-limit with the time to wait, and the next try answers', async () => {
      const busy = { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } };
      server.enqueue({ type: 'error', status: 429, headers: { 'retry-after': '7' }, body: busy }, { type: 'text', text: 'Now.' });
      const first = await run();
      expectFailure(first, 'rate-limit', { retryAfterMs: 7_000 });
      expect(first.failure).toMatchObject({ retryable: true });
      expect((await run()).text).toBe('Now.');
    });

    test('too long a prompt is context-overflow', async () => {
      const body = { error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' } };
      server.enqueue({ type: 'error', status: 400, body });
      expectFailure(await run(), 'context-overflow', { status: 400 });
    });

    test('a page instead of an answer is not-an-api', async () => {
      server.enqueue({ type: 'page' });
      expectFailure(await run(), 'not-an-api', { message: 'Sign in' });
    });

    spoken('a broken connection is stream-cut and keeps what came', async () => {
      server.enqueue({ type: 'text', text: 'One two three four', cutAfterDeltas: 2 });
      const result = await run();
      expectFailure(result, 'stream-cut');
      expect('One two '.startsWith(result.text)).toBe(true);
    });

    spoken('a stream that ends without a sign is stream-cut', async () => {
      server.enqueue({ type: 'raw', pieces: ['data: {"choices":[{"index":0,"delta":{"content":"One"}}]}\n\n'] });
      const result = await run();
      expectFailure(result, 'stream-cut', { cause: 'no-end' });
      expect(result.text).toBe('One');
    });

    spoken('an answer without anything in it is answer-empty', async () => {
      server.enqueue({ type: 'text', text: '' });
      expectFailure(await run(), 'answer-empty');
    });

    spoken('reads whole answers as the same events', async () => {
      server.enqueue({ type: 'text', reasoning: 'Hm.', text: 'Whole.', usage: USAGE });
      const result = await run({ request: testRequest({ stream: false }) });
      expect(endsProperly(result)).toBe(true);
      expect([result.reasoning, result.text, result.usage?.outputTokens]).toEqual(['Hm.', 'Whole.', 7]);
      expect(lastBody()).toMatchObject({ stream: false });
      expect(lastBody()).not.toHaveProperty('stream_options');
    });

    spoken('reads a stream that came although none was asked for, and the other way round', async () => {
      server.enqueue(
        { type: 'raw', pieces: ['data: {"choices":[{"index":0,"delta":{"content":"S"},"finish_reason":"stop"}]}\n\n'] },
        { type: 'raw', contentType: 'application/json', pieces: ['{\n "choices": [{"message": {"content": "W"}}]\n}\n'] },
      );
      expect((await run({ request: testRequest({ stream: false }) })).text).toBe('S');
      expect((await run()).text).toBe('W');
    });

    spoken('lists models', async () => {
      server.setModels([{ id: 'b-model', context_length: 4096 }, { id: 'a-model' }, { id: 'text-embedding-3-small' }]);
      const io = { gate: outbound.gate, key: TEST_KEY, signal: new AbortController().signal, newId: () => 'id', ...noDevice };
      const models = await provider.listModels(testAccount(server.url), io);
      expect(models.map((model) => [model.id, model.capabilities.contextTokens])).toEqual([
        ['a-model', null],
        ['b-model', 4096],
      ]);
    });

    test('starts nothing once it is aborted', async () => {
      const before = server.requests.length;
      const controller = new AbortController();
      controller.abort();
      expect((await run({ controller })).failure).toBe('abort');
      expect(server.requests.length).toBe(before);
    });

    describe('aborted', () => {
      let server: ReplayServer;
      beforeEach(async () => {
        server = await startReplayServer();
      });
      afterEach(() => server.close());

      const abortWhile = async (answer: Answer, afterEvents: number): Promise<RunResult> => {
        const controller = new AbortController();
        let abortedAt = 0;
        const abort = (): void => {
          abortedAt = Date.now();
          controller.abort();
        };
        server.enqueue(answer);
        const result = run({
          account: testAccount(server.url),
          controller,
          onEvent: (_event, events) => events === afterEvents && abort(),
        });
        if (afterEvents === 0) {
          await server.nextRequest();
          abort();
        }
        const close = await server.nextClose();
        expect(close.at - abortedAt).toBeLessThan(CLOSE_WITHIN_MS);
        const ended = await result;
        expect(ended.failure).toBe('abort');
        expect(endsProperly(ended)).toBe(true);
        return ended;
      };

      test('while the server has not answered', async () => {
        await abortWhile({ type: 'hang' }, 0);
      });

      test('while the server thinks before the first byte', async () => {
        const hold = createHold();
        await abortWhile({ type: 'text', text: 'never', holdBefore: hold }, 0);
        hold.release();
      });

      spoken.each([1, 3])('after %i events, keeping them', async (events) => {
        const hold = createHold();
        const result = await abortWhile({ type: 'text', text: 'abcdefghij', deltaSize: 2, hold: { afterDeltas: events, hold } }, events);
        hold.release();
        expect(result.text).toBe('abcdefghij'.slice(0, events * 2));
      });

      spoken('in the midst of arguments', async () => {
        const hold = createHold();
        const calls = [{ id: 'c', name: 'note', arguments: '{"title":"long"}' }];
        await abortWhile({ type: 'text', text: '', calls, hold: { afterDeltas: 2, hold } }, 2);
        hold.release();
      });
    });

    spoken('hangs up when nobody reads on', async () => {
      const hold = createHold();
      server.enqueue({ type: 'text', text: 'abcdef', deltaSize: 1, hold: { afterDeltas: 2, hold } });
      const io = { gate: outbound.gate, key: null, signal: new AbortController().signal, newId: () => 'id', ...noDevice };
      for await (const event of provider.stream(testRequest(), testAccount(server.url), io)) if (event.type === 'text-delta') break;
      await server.nextClose();
      hold.release();
    });
  });
}
