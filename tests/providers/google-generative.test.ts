import { afterAll, describe, expect, test } from 'vitest';
import type { Account } from '../../src/core/account';
import type { ErrorCode } from '../../src/core/errors';
import type { RequestPart } from '../../src/core/request';
import { isRecord, parseJson, recordAt, textAt, type UnknownRecord } from '../../src/outbound/json';
import { createGoogleGenerative } from '../../src/providers/google-generative';
import { createTestGate } from '../outbound/test-gate';
import { hasFixtures, listFixtures, readFixture, readJsonFixture } from '../support/fixtures';
import { endsProperly, runProvider, TEST_KEY, testAccount, testRequest, type RunOptions, type RunResult } from './run-provider';
import { noDevice } from '../support/no-device';

const BASE = 'https://generativelanguage.googleapis.com/v1beta';

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: UnknownRecord;
}

/** Answers one after the other; what was asked is noted. */
function hostOf(...answers: readonly Response[]) {
  const sent: Sent[] = [];
  const rest = [...answers];
  const { gate } = createTestGate({
    fetch: (url, init) => {
      const body = typeof init?.body === 'string' ? parseJson(init.body) : undefined;
      const headers = Object.fromEntries(new Headers(init?.headers).entries());
      sent.push({ url: url instanceof Request ? url.url : String(url), headers, body: isRecord(body) ? body : {} });
      const answer = rest.shift();
      return answer === undefined ? Promise.reject(new TypeError('nothing listens')) : Promise.resolve(answer);
    },
  });
  const provider = createGoogleGenerative();
  const account = (overrides: Partial<Account> = {}): Account => testAccount(BASE, { provider: provider.id, ...overrides });
  const run = (options: Partial<RunOptions> = {}): Promise<RunResult> => runProvider(provider, { account: account(), ...options, gate });
  const io = { gate, key: TEST_KEY, signal: new AbortController().signal, newId: () => 'id', ...noDevice };
  return { sent, run, account, listModels: () => provider.listModels(account(), io) };
}

const events = (...chunks: readonly unknown[]): Response =>
  new Response(chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\r\n\r\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
const says = (parts: readonly unknown[], finishReason?: string, more: UnknownRecord = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }), ...more }],
});
const done = says([{ text: 'ok' }], 'STOP');
const refuse = (message: string): Response => json({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, 400);

describe('what is sent', () => {
  test('only the key and the type of the body as headers, to the model’s address', async () => {
    const { run, sent } = hostOf(events(done), json(done));
    await run({ request: testRequest({ modelId: 'gemini-2.5-flash' }) });
    await run({ request: testRequest({ modelId: 'gemini-2.5-flash', stream: false }), key: null });
    expect(sent.map(({ url, headers }) => [url, headers])).toEqual([
      [`${BASE}/models/gemini-2.5-flash:streamGenerateContent?alt=sse`, { 'content-type': 'application/json', 'x-goog-api-key': TEST_KEY }],
      [`${BASE}/models/gemini-2.5-flash:generateContent`, { 'content-type': 'application/json' }],
    ]);
  });

  test('the account’s headers win, and one that a browser drops is named', async () => {
    const { run, sent, account } = hostOf(events(done));
    await run({
      account: account({
        headers: [
          { name: 'X-Goog-Api-Key', value: 'mine' },
          { name: 'X-Own', value: '1' },
        ],
      }),
    });
    expect(sent[0]?.headers).toMatchObject({ 'x-goog-api-key': 'mine', 'x-own': '1' });
    const refused = await run({ account: account({ headers: [{ name: 'Cookie', value: 'a' }] }) });
    expect(refused.failure).toMatchObject({ code: 'header-forbidden' });
  });

  test('thoughts are asked for where the model thinks, or the user says so', async () => {
    const { run, sent, account } = hostOf(events(done), events(done), events(done));
    await run({ request: testRequest({ modelId: 'gemini-3-flash' }) });
    await run({ request: testRequest({ modelId: 'gemini-2.0-flash', reasoning: 'high' }) });
    const overrides = { 'gemini-2.0-flash': { reasoning: true } };
    await run({ request: testRequest({ modelId: 'gemini-2.0-flash', reasoning: 'low' }), account: account({ overrides }) });
    expect(sent.map(({ body }) => body['generationConfig'])).toEqual([
      { thinkingConfig: { includeThoughts: true } },
      undefined,
      { thinkingConfig: { thinkingBudget: 1_000, includeThoughts: true } },
    ]);
  });

  test.each([
    ['no thinking', 'Thinking level is not supported for this model.', 'generationConfig'],
    ['no system instruction', 'Developer instruction is not enabled for models/x', 'systemInstruction'],
    ['no filters', 'Invalid value at safety_settings[4].category', 'safetySettings'],
  ])('%s: left out in one more request, and from then on', async (_name, message, field) => {
    const { run, sent } = hostOf(refuse(message), events(done), events(done));
    const request = testRequest({ modelId: 'gemini-2.5-pro', reasoning: 'high', system: ['Be brief.'] });
    expect((await run({ request })).text).toBe('ok');
    expect((await run({ request })).text).toBe('ok');
    expect(sent.map(({ body }) => field in body)).toEqual([true, false, false]);
    if (field === 'systemInstruction') {
      expect(sent[2]?.body['contents']).toEqual([{ role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Hello' }] }]);
    }
  });
});

describe('two steps with a tool', () => {
  const fixtures = ['gemini/tool-call-gemini3', 'gemini/tool-no-args', 'gemini/stream-args', 'gemini/fb-thought-summary-function'];
  test.skipIf(!hasFixtures).each(fixtures)('%s: calls and signatures come back byte for byte', async (name) => {
    const recording = readFixture(`streams/${name}.sse`).toString('utf8');
    const expected = readJsonFixture(`streams/${name}.expected.json`);
    const calls = isRecord(expected) && Array.isArray(expected['toolCalls']) ? expected['toolCalls'].filter(isRecord) : [];
    const { run, sent } = hostOf(new Response(recording, { headers: { 'content-type': 'text/event-stream' } }), events(done));
    const modelId = 'gemini-3-pro-preview';
    const first = await run({ request: testRequest({ modelId }) });
    const parts = first.parts.flatMap((part): readonly RequestPart[] => {
      if (part.type !== 'tool') return [];
      const opaque = part.opaque === undefined ? {} : { opaque: part.opaque.data };
      const { callId, wireId, name: tool, argumentsText } = part;
      const result = { text: 'fine', isError: false, images: [] };
      return [{ type: 'tool-call', callId, wireId, name: tool, argumentsText, ...opaque, result }];
    });
    const history = [...testRequest().history, { role: 'assistant', parts } as const];
    expect((await run({ request: testRequest({ modelId, history }) })).text).toBe('ok');
    expect(sent[1]?.body['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Hello' }] },
      {
        role: 'model',
        parts: calls.map(({ name: tool, arguments: args, thoughtSignature }) => ({
          functionCall: { name: tool, args },
          ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
        })),
      },
      { role: 'user', parts: calls.map((call) => ({ functionResponse: { name: call['name'], response: { result: 'fine' } } })) },
    ]);
  });
});

describe('how an answer ends', () => {
  test.each<[string, readonly unknown[], ErrorCode, boolean]>([
    ['no reason to end', [says([{ text: 'Half' }])], 'stream-cut', true],
    ['no reason, no text, but tokens', [{ ...says([]), usageMetadata: { promptTokenCount: 3 } }], 'stream-cut', true],
    ['nothing in it', [says([], 'STOP')], 'answer-empty', false],
    ['a broken function call', [says([], 'MALFORMED_FUNCTION_CALL', { finishMessage: 'Malformed.' })], 'provider-error', true],
    ['broken JSON', [says([{ text: 'a' }]), '{"candidates":[{', done], 'provider-error', true],
    [
      'an error in the midst',
      [done, { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }],
      'overloaded',
      true,
    ],
  ])('%s', async (_name, chunks, code, retryable) => {
    const result = await hostOf(events(...chunks)).run();
    expect(endsProperly(result)).toBe(true);
    expect(result.failure).toMatchObject({ code, retryable });
  });

  test.each([
    ['MAX_TOKENS', 'length'],
    ['MALFORMED_FUNCTION_CALL', 'other'],
    ['SOMETHING_NEW', 'other'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['IMAGE_SAFETY', 'content_filter'],
  ])('%s after some text is %s', async (rawReason, reason) => {
    const result = await hostOf(events(says([{ text: 'Some' }], rawReason))).run();
    expect(result.events.at(-1)).toEqual({ type: 'finish', reason, rawReason });
    expect(result.refusal).toBe(reason === 'content_filter' ? rawReason : '');
  });

  test('the server’s own sentence for a refusal wins over its word', async () => {
    const blocked = { promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'Not this.' } };
    const result = await hostOf(events(blocked)).run();
    expect([result.refusal, result.events.at(-1)]).toEqual([
      'Not this.',
      { type: 'finish', reason: 'content_filter', rawReason: 'promptFeedback.OTHER' },
    ]);
  });

  test('a call that the limit cut is no whole JSON', async () => {
    const open = { functionCall: { name: 'add', willContinue: true, partialArgs: [{ jsonPath: '$.a', stringValue: 'x' }] } };
    const result = await hostOf(events(says([open], 'MAX_TOKENS'))).run();
    expect(result.parts).toMatchObject([{ type: 'tool', argumentsText: '{"a":"x"' }]);
    expect(result.events.at(-1)).toMatchObject({ reason: 'length' });
  });

  test('only the first candidate counts, and drafts among the thoughts are no pictures', async () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const chunk = {
      candidates: [
        { index: 1, content: { parts: [{ text: 'Other' }] } },
        { index: 0, content: { parts: [{ ...picture, thought: true }, { text: 'This' }, picture] }, finishReason: 'STOP' },
      ],
    };
    const result = await hostOf(events(chunk)).run();
    expect(result.text).toBe('This');
    expect(result.events.filter((event) => event.type === 'image')).toEqual([{ type: 'image', mimeType: 'image/png', base64: 'AAAA' }]);
  });

  test('a search is told with its queries and sources', async () => {
    const groundingMetadata = {
      webSearchQueries: ['weather'],
      groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }, { web: { uri: 'javascript:1', title: 'B' } }],
    };
    const result = await hostOf(events(says([{ text: 'Sunny.' }], 'STOP', { groundingMetadata }))).run();
    const source = { url: 'https://a.example/', title: 'A' };
    expect(result.parts).toMatchObject([
      { type: 'text' },
      { type: 'hosted', name: 'web_search', status: 'done', queries: ['weather'], sources: [source] },
      { type: 'citation', ...source, textOffset: 6 },
    ]);
  });

  test('the key is never quoted back', async () => {
    const result = await hostOf(events({ error: { code: 400, message: `Bad ${TEST_KEY}` } })).run();
    expect(result.failure).toMatchObject({ details: { message: 'Bad •••' } });
  });
});

test.each(['aborted', 'given up'])('the connection is closed at once when the answer is %s', async (way) => {
  let isClosed = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(says([{ text: 'One' }]))}\n\n`));
    },
    cancel: () => {
      isClosed = true;
    },
  });
  const controller = new AbortController();
  const { gate } = createTestGate({ fetch: () => Promise.resolve(new Response(body)) });
  const io = { gate, key: null, signal: controller.signal, newId: () => 'id', ...noDevice };
  const seen: string[] = [];
  const read = async (): Promise<void> => {
    for await (const event of createGoogleGenerative().stream(testRequest(), testAccount(BASE), io)) {
      seen.push(event.type);
      if (way === 'given up') break;
      controller.abort();
    }
  };
  if (way === 'aborted') await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
  else await read();
  expect(isClosed).toBe(true);
  expect(seen).toEqual(['text-delta']);
});

describe.skipIf(!hasFixtures)('recorded error answers', () => {
  const codes: Readonly<Record<string, ErrorCode>> = {
    'auth-gemini': 'auth',
    'too-long-gemini': 'rate-limit',
    'rate-limit-gemini-retry-info': 'rate-limit',
    'gemini-quota': 'rate-limit',
    'gemini-location': 'request-rejected',
    'gemini-html-404': 'not-an-api',
    'gemini-unknown-model': 'model-not-found',
    'gemini-finish-other-no-content': 'provider-error',
  };
  let passed = 0;
  afterAll(() => {
    console.log(`error answers of gemini through the provider: ${passed} / ${Object.keys(codes).length}`);
  });

  test('are all named here', () => {
    const names = listFixtures('streams/errors', '.json').filter((name) => name.includes('gemini'));
    expect(names.map((name) => name.replace(/.*\/|\.json/g, '')).sort()).toEqual(Object.keys(codes).sort());
  });

  test.each(Object.entries(codes))('%s is %s', async (name, code) => {
    const file = readJsonFixture(`streams/errors/${name}.json`);
    if (!isRecord(file)) throw new Error('not an object');
    const expected = recordAt(file, 'expected');
    const headers = { 'content-type': textAt(recordAt(file, 'headers'), 'content-type') ?? '' };
    const { run } = hostOf(new Response(textAt(file, 'body') ?? '', { status: Number(file['status']), headers }));
    const result = await run({ request: testRequest({ stream: false }) });
    expect(endsProperly(result)).toBe(true);
    expect(result.failure).toMatchObject({ code, retryable: expected['retryable'] });
    if (expected['retryAfterMs'] !== undefined) {
      expect(result.failure).toMatchObject({ details: { retryAfterMs: expected['retryAfterMs'] } });
    }
    passed += 1;
  });
});

test('lists the chat models of all pages with what the server says of them', async () => {
  const entry = (name: string, more: UnknownRecord = {}) => ({
    name: `models/${name}`,
    supportedGenerationMethods: ['generateContent'],
    ...more,
  });
  const { listModels, sent } = hostOf(
    json({
      models: [
        entry('gemini-2.5-pro', { displayName: 'Gemini 2.5 Pro', inputTokenLimit: 1_048_576, thinking: true }),
        entry('gemini-embedding-001', { supportedGenerationMethods: ['embedContent'] }),
        entry('gemini-2.5-flash-preview-tts'),
      ],
      nextPageToken: 'two',
    }),
    json({ models: [entry('gemini-2.5-flash-image', { inputTokenLimit: 32_768 }), entry('gemma-3-4b-it')] }),
  );
  const models = await listModels();
  expect(models.map(({ id, name, capabilities }) => [id, name, capabilities.contextTokens])).toEqual([
    ['gemini-2.5-flash-image', 'gemini-2.5-flash-image', 32_768],
    ['gemini-2.5-pro', 'Gemini 2.5 Pro', 1_048_576],
    ['gemma-3-4b-it', 'gemma-3-4b-it', 128_000],
  ]);
  expect(models[1]?.capabilities).toEqual({
    vision: true,
    tools: true,
    reasoning: true,
    audio: true,
    documents: true,
    hostedSearch: true,
    contextTokens: 1_048_576,
  });
  expect(models[0]?.capabilities).toMatchObject({ vision: true, tools: false, reasoning: false, hostedSearch: false });
  expect(sent.map(({ url }) => url)).toEqual([`${BASE}/models?pageSize=1000`, `${BASE}/models?pageSize=1000&pageToken=two`]);
});
