import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startReplayServer, type Answer, type ReplayServer } from '../../e2e/support/replay-server';
import type { Account } from '../../src/core/account';
import type { ModelRequest } from '../../src/core/request';
import { createOpenAiChat } from '../../src/providers/openai-chat';
import { createTestGate } from '../outbound/test-gate';
import { hasFixtures, readJsonFixture } from '../support/fixtures';
import { isRecord } from '../../src/outbound/json';
import { runProvider, TEST_KEY, testAccount, testRequest, type RunResult } from './run-provider';

let server: ReplayServer;
const { gate } = createTestGate();
beforeEach(async () => {
  server = await startReplayServer();
});
afterEach(() => server.close());

const refuse = (message: string, param?: string, code = 'unsupported_parameter'): Answer => ({
  type: 'error',
  status: 400,
  body: { error: { message, type: 'invalid_request_error', ...(param === undefined ? {} : { param }), code } },
});
const ok: Answer = { type: 'text', text: 'ok' };

function run(provider = createOpenAiChat(), request: Partial<ModelRequest> = {}, account: Partial<Account> = {}): Promise<RunResult> {
  return runProvider(provider, { gate, account: testAccount(server.url, account), request: testRequest(request) });
}

const bodies = (): readonly Record<string, unknown>[] => server.requests.map((request) => request.body).filter(isRecord);

describe('a parameter that the host refuses', () => {
  const sampling = { temperature: 0.5, topP: 0.9, maxTokens: 10 };

  test.each([
    [
      'max_tokens',
      refuse("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 'max_tokens'),
    ],
    ['temperature', refuse("Unsupported value: 'temperature' does not support 0.5 with this model.", 'temperature', 'unsupported_value')],
    ['top_p', refuse("Unsupported parameter: 'top_p'", 'top_p')],
    ['stream_options', refuse('Extra inputs are not permitted: stream_options')],
    ['reasoning_effort', refuse('Unrecognized request argument supplied: reasoning_effort')],
  ])('%s is left out in one more request, and from then on', async (field, refusal) => {
    const provider = createOpenAiChat();
    server.enqueue(refusal, ok, ok);
    const options = { sampling, reasoning: 'high' } as const;
    expect((await run(provider, options)).text).toBe('ok');
    expect((await run(provider, options)).text).toBe('ok');
    expect(bodies().map((body) => field in body)).toEqual([true, false, false]);
    if (field === 'max_tokens') expect(bodies()[2]).toHaveProperty('max_completion_tokens', 10);
  });

  test('two are left out one after the other', async () => {
    server.enqueue(refuse("Unsupported parameter: 'temperature'", 'temperature'), refuse("Unsupported parameter: 'top_p'", 'top_p'), ok);
    expect((await run(undefined, { sampling })).text).toBe('ok');
    expect(bodies().length).toBe(3);
  });

  test('the same refusal twice is an error, and another model knows nothing of it', async () => {
    const provider = createOpenAiChat();
    const refusal = refuse("Unsupported parameter: 'temperature'", 'temperature');
    server.enqueue(refusal, refusal, ok);
    expect((await run(provider, { sampling })).failure).toMatchObject({ code: 'request-rejected' });
    await run(provider, { sampling, modelId: 'another' });
    expect(bodies().map((body) => 'temperature' in body)).toEqual([true, false, true]);
  });

  test('a host that refuses either name of the limit is not asked for ever', async () => {
    server.setDefault(() => refuse("Unsupported parameters: 'max_tokens', 'max_completion_tokens'"));
    expect((await run(undefined, { sampling: { maxTokens: 5 } })).failure).toMatchObject({ code: 'request-rejected' });
    expect(bodies().length).toBe(3);
  });

  test('a value that is too large is no missing parameter', async () => {
    server.enqueue(refuse('max_tokens is too large: 10. This model allows at most 4.', 'max_tokens', 'invalid_value'), ok);
    expect((await run(undefined, { sampling })).failure).toMatchObject({ code: 'request-rejected' });
    expect(bodies().length).toBe(1);
  });

  test('a system role is folded into the first user turn', async () => {
    server.enqueue(
      refuse("Unsupported value: 'messages[0].role' does not support 'system' with this model.", 'messages[0].role', 'unsupported_value'),
      ok,
    );
    expect((await run(undefined, { system: ['Be kind.'] })).text).toBe('ok');
    expect(bodies()[1]?.['messages']).toEqual([{ role: 'user', content: 'Be kind.\n\nHello' }]);
  });

  test.skipIf(!hasFixtures).each(['openai-max-tokens-unsupported', 'openai-temperature-unsupported', 'openai-o1-mini-system-role'])(
    'as recorded: %s',
    async (name) => {
      const file = readJsonFixture(`streams/errors/${name}.json`);
      if (!isRecord(file)) throw new Error('not an object');
      const body: unknown = JSON.parse(String(file['body']));
      server.enqueue({ type: 'error', status: Number(file['status']), body }, ok);
      expect((await run(undefined, { sampling, system: ['S'] })).text).toBe('ok');
    },
  );
});

describe('headers and body of the account', () => {
  test('win over ours, whatever their case', async () => {
    const headers = [
      { name: 'AUTHORIZATION', value: 'Token mine' },
      { name: 'X-Title', value: 'Mine' },
      { name: ' ', value: 'left out' },
    ];
    await run(
      undefined,
      { sampling: { temperature: 1 } },
      { headers, body: { temperature: 0, metadata: { a: 1 }, stream_options: { b: 2 } } },
    );
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Token mine', 'x-title': 'Mine' });
    expect(bodies()[0]).toMatchObject({ temperature: 0, metadata: { a: 1 }, stream_options: { include_usage: true, b: 2 } });
  });

  test('one that a browser drops is named before anything leaves', async () => {
    const result = await run(undefined, {}, { headers: [{ name: 'Cookie', value: 'a=b' }] });
    expect(result.failure).toMatchObject({ code: 'header-forbidden', details: { header: 'Cookie' } });
    expect(server.requests).toEqual([]);
  });

  test('an address is understood as it was pasted', async () => {
    expect((await run(undefined, {}, { baseUrl: `${server.url}/chat/completions/` })).text).toBe('Echo: Hello');
    expect((await run(undefined, {}, { baseUrl: 'http://' })).failure).toMatchObject({ code: 'address-invalid' });
  });
});

test('nothing listens there', async () => {
  const url = server.url;
  await server.close();
  const result = await run(undefined, {}, { baseUrl: url });
  expect(result.failure).toMatchObject({ code: 'server-unreachable', retryable: true });
  server = await startReplayServer();
});

test('an error in the stream keeps text and usage, and never the key', async () => {
  const error = { error: { message: `Bad ${TEST_KEY}`, code: 500 }, usage: { prompt_tokens: 3, completion_tokens: 1 } };
  const pieces = ['data: {"choices":[{"index":0,"delta":{"content":"Half"}}]}\n\n', `data: ${JSON.stringify(error)}\n\n`];
  server.enqueue({ type: 'raw', pieces });
  const result = await run();
  expect(result.failure).toMatchObject({ code: 'provider-error', retryable: true, details: { message: 'Bad •••', status: 500 } });
  expect([result.text, result.usage]).toEqual(['Half', { inputTokens: 3, outputTokens: 1 }]);
});

test('broken JSON in the midst is an error of the provider, not ours', async () => {
  server.enqueue({
    type: 'raw',
    pieces: ['data: {"choices":[{"delta":{"content":"a"}}]}\n\n', 'data: {"choices":[{\n\n', 'data: [DONE]\n\n'],
  });
  const result = await run();
  expect(result.failure).toMatchObject({ code: 'provider-error', details: { reason: 'malformed' } });
  expect(result.text).toBe('a');
});
