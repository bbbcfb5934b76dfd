import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReplayServer, type Answer, type ReplayServer } from '../../e2e/support/replay-server';
import type { ModelRequest } from '../../src/core/request';
import { isRecord } from '../../src/outbound/json';
import { createOpenAiResponses } from '../../src/providers/openai-responses';
import { createTestGate } from '../outbound/test-gate';
import { endsProperly, runProvider, testAccount, testRequest, type RunResult } from './run-provider';

let server: ReplayServer;
const { gate } = createTestGate();
beforeEach(async () => {
  server = await startReplayServer();
});
afterEach(() => server.close());

const event = (fields: Record<string, unknown>): string => `event: ${String(fields['type'])}\ndata: ${JSON.stringify(fields)}\n\n`;
const words = (delta: string): string => event({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta });
const completed = event({ type: 'response.completed', response: { status: 'completed', output: [], error: null } });
const ok: Answer = { type: 'raw', pieces: [words('ok'), completed] };
const refuse = (message: string, param: string): Answer => ({
  type: 'error',
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code: 'unsupported_value' } },
});

function run(request: Partial<ModelRequest> = {}, provider = createOpenAiResponses()): Promise<RunResult> {
  const account = testAccount(server.url, { provider: provider.id });
  return runProvider(provider, { gate, account, request: testRequest(request) });
}

const bodies = (): readonly Record<string, unknown>[] => server.requests.map(({ body }) => body).filter(isRecord);

test('asks /responses with the key', async () => {
  server.enqueue(ok);
  const result = await run();
  expect([result.text, endsProperly(result)]).toEqual(['ok', true]);
  expect(server.requests[0]).toMatchObject({ path: '/v1/responses', headers: { authorization: expect.stringMatching(/^Bearer /) } });
});

test.each([
  ['include', 'Encrypted content is not supported with this model.', 'include'],
  ['reasoning.summary', 'Your organization must be verified to generate reasoning summaries.', 'summary'],
])('leaves out %s where it is refused, and remembers it', async (parameter, message, field) => {
  const provider = createOpenAiResponses();
  server.enqueue(refuse(message, parameter), ok, ok);
  const request = { modelId: 'gpt-5.1', reasoning: 'low' } as const;
  expect((await run(request, provider)).text).toBe('ok');
  expect((await run(request, provider)).text).toBe('ok');
  expect(bodies().map((body) => JSON.stringify(body).includes(`"${field}"`))).toEqual([true, false, false]);
  expect(bodies().at(-1)).toMatchObject({ reasoning: { effort: 'low' } });
});

test('a stream that ends without a sign is stream-cut and keeps what came', async () => {
  server.enqueue({ type: 'raw', pieces: [words('One')] });
  const result = await run();
  expect(result.failure).toMatchObject({ code: 'stream-cut', retryable: true });
  expect(result.text).toBe('One');
});

test('an answer without anything in it is answer-empty, one that failed is what the server says', async () => {
  const failed = { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down' } };
  server.enqueue({ type: 'raw', pieces: [completed] }, { type: 'raw', pieces: [event({ type: 'response.failed', response: failed })] });
  expect((await run()).failure).toMatchObject({ code: 'answer-empty' });
  expect((await run()).failure).toMatchObject({ code: 'rate-limit', details: { message: 'Slow down' } });
});

test('a flat error event, and events nobody knows', async () => {
  const flat = { type: 'error', code: 'server_error', message: 'Down' };
  server.enqueue({ type: 'raw', pieces: [event({ type: 'response.new_thing', output_index: 0 }), words('A'), event(flat)] });
  const result = await run();
  expect(result.text).toBe('A');
  expect(result.failure).toMatchObject({ code: 'provider-error', details: { message: 'Down' } });
});

test('a refusal, and a call whose arguments came only at its end, under its own name', async () => {
  const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'add', arguments: '' };
  server.enqueue({
    type: 'raw',
    pieces: [
      event({ type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'No.' }),
      event({ type: 'response.output_item.added', output_index: 1, item: call }),
      event({ type: 'response.function_call_arguments.done', output_index: 1, arguments: '{"a":1}' }),
      event({ type: 'response.output_item.done', output_index: 1, item: { ...call, arguments: '{"a":1}' } }),
      completed,
    ],
  });
  const result = await run();
  expect(result.refusal).toBe('No.');
  expect(result.parts.filter((part) => part.type === 'tool')).toMatchObject([{ wireId: 'c', name: 'add', argumentsText: '{"a":1}' }]);
  expect(result.events.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls', rawReason: 'completed' });
});
