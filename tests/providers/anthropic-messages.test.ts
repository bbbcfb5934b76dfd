import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/core/account';
import type { RequestPart } from '../../src/core/request';
import { isList, isRecord, parseJson, textAt, type UnknownRecord } from '../../src/outbound/json';
import { createAnthropicMessages } from '../../src/providers/anthropic-messages';
import type { Provider } from '../../src/providers/provider';
import { messagesBaseUrl } from '../../src/providers/shared/anthropic-connection';
import { createTestGate } from '../outbound/test-gate';
import { hasFixtures, listFixtures, readJsonFixture } from '../support/fixtures';
import { endsProperly, runProvider, TEST_KEY, testAccount, testRequest, type RunOptions, type RunResult } from './run-provider';
import { noDevice } from '../support/no-device';

const URL_BASE = 'https://api.anthropic.com';

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: UnknownRecord;
}

/** A host that gives these answers one after the other, and what it was sent. */
function createHost(...answers: readonly Response[]): { readonly sent: Sent[]; readonly gate: RunOptions['gate'] } {
  const sent: Sent[] = [];
  const rest = [...answers];
  const { gate } = createTestGate({
    fetch: (url, init) => {
      const body = typeof init?.body === 'string' ? parseJson(init.body) : {};
      sent.push({
        url: String(url instanceof Request ? url.url : url),
        headers: new Headers(init?.headers),
        body: isRecord(body) ? body : {},
      });
      const answer = rest.shift();
      return answer === undefined ? Promise.reject(new Error('No answer is left.')) : Promise.resolve(answer);
    },
  });
  return { sent, gate };
}

function stream(...events: readonly UnknownRecord[]): Response {
  const lines = events.map((event) => `event: ${String(textAt(event, 'type'))}\ndata: ${JSON.stringify(event)}\n\n`);
  return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
const refuse = (message: string): Response => json({ type: 'error', error: { type: 'invalid_request_error', message } }, 400);

const start = (id = 'msg_1'): UnknownRecord => ({ type: 'message_start', message: { id, usage: { input_tokens: 3, output_tokens: 1 } } });
const open = (index: number, content_block: UnknownRecord): UnknownRecord => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, change: UnknownRecord): UnknownRecord => ({ type: 'content_block_delta', index, delta: change });
const close = (index: number): UnknownRecord => ({ type: 'content_block_stop', index });
const stopFor = (stop_reason: string, usage: UnknownRecord = {}): readonly UnknownRecord[] => [
  { type: 'message_delta', delta: { stop_reason }, usage },
  { type: 'message_stop' },
];
const words = (index: number, text: string): readonly UnknownRecord[] => [
  open(index, { type: 'text', text: '' }),
  delta(index, { type: 'text_delta', text }),
  close(index),
];
const ok = (): Response => stream(start(), ...words(0, 'ok'), ...stopFor('end_turn'));

function run(
  host: { readonly gate: RunOptions['gate'] },
  options: Partial<RunOptions> = {},
  provider = createAnthropicMessages(),
): Promise<RunResult> {
  return runProvider(provider, { account: accountAt(), ...options, gate: host.gate });
}

function accountAt(overrides: Partial<Account> = {}): Account {
  return testAccount(URL_BASE, { provider: 'anthropic-messages', ...overrides });
}

describe('a request', () => {
  test('carries the headers of the protocol and no other key', async () => {
    const host = createHost(ok());
    await run(host);
    const [sent] = host.sent;
    expect(sent?.url).toBe('https://api.anthropic.com/v1/messages');
    expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'x-api-key': TEST_KEY,
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true',
    });
  });

  test("has the user's headers in place of ours, and no key header without a key", async () => {
    const host = createHost(ok());
    const headers = [
      { name: 'Anthropic-Version', value: '2024-01-01' },
      { name: 'Authorization', value: 'Bearer mine' },
    ];
    await run(host, { key: null, account: accountAt({ headers }) });
    const sent = host.sent[0]?.headers;
    expect(sent?.get('anthropic-version')).toBe('2024-01-01');
    expect(sent?.get('authorization')).toBe('Bearer mine');
    expect(sent?.has('x-api-key')).toBe(false);
  });

  test.each([
    ['https://api.anthropic.com', 'https://api.anthropic.com/v1'],
    ['api.anthropic.com/v1/', 'https://api.anthropic.com/v1'],
    ['https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1'],
    ['https://api.minimax.io/anthropic', 'https://api.minimax.io/anthropic/v1'],
    ['https://host.test/anthropic/v1/messages?beta=true', 'https://host.test/anthropic/v1'],
    ['https://host.test/proxy/messages', 'https://host.test/proxy'],
    ['localhost:4000', 'http://localhost:4000/v1'],
  ])('%s goes to %s', (pasted, base) => {
    expect(messagesBaseUrl(pasted)).toBe(base);
  });
});

describe('a tool loop', () => {
  const signature = 'EqQB+/byte=exact==';
  const thought = 'First  I look.\n';

  test('sends thinking, ids and arguments back as they came', async () => {
    const host = createHost(
      stream(
        start(),
        open(0, { type: 'thinking', thinking: '', signature: '' }),
        delta(0, { type: 'thinking_delta', thinking: thought.slice(0, 5) }),
        delta(0, { type: 'thinking_delta', thinking: thought.slice(5) }),
        delta(0, { type: 'signature_delta', signature }),
        close(0),
        open(1, { type: 'redacted_thinking', data: 'hidden+/==' }),
        close(1),
        open(2, { type: 'tool_use', id: 'toolu_01A', name: 'files_read_9e107d9d', input: {} }),
        delta(2, { type: 'input_json_delta', partial_json: '{"b":"ü","a":' }),
        delta(2, { type: 'input_json_delta', partial_json: '[1]}' }),
        close(2),
        ...stopFor('tool_use'),
      ),
      ok(),
    );
    const tools = [{ name: 'look', description: '', parameters: { type: 'object', properties: {} } }];
    const request = testRequest({ modelId: 'claude-sonnet-4-5', reasoning: 'high', tools });
    const first = await run(host, { request });
    expect(first.events.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls', rawReason: 'tool_use' });
    const history = [...request.history, { role: 'assistant' as const, parts: first.parts.flatMap(toRequestPart) }];
    const second = await run(host, { request: { ...request, history } });
    expect(second.text).toBe('ok');
    const messages = host.sent[1]?.body['messages'];
    expect(isList(messages) ? JSON.stringify(messages.slice(1)) : '').toBe(
      JSON.stringify([
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: thought, signature },
            { type: 'redacted_thinking', data: 'hidden+/==' },
            { type: 'tool_use', id: 'toolu_01A', name: 'files_read_9e107d9d', input: { b: 'ü', a: [1] } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01A', content: [{ type: 'text', text: 'done' }] }] },
      ]),
    );
  });

  test('knows tools by their own names, whatever stands on the wire', async () => {
    const tools = [{ name: 'files.read', description: '', parameters: {} }];
    const request = testRequest({ tools });
    const probe = createHost(ok());
    await run(probe, { request });
    const offered = probe.sent[0]?.body['tools'];
    const name = isList(offered) && isRecord(offered[0]) ? (textAt(offered[0], 'name') ?? '') : '';
    expect(name).toMatch(/^[a-zA-Z0-9_-]+$/);
    const host = createHost(
      stream(start(), open(0, { type: 'tool_use', id: 'toolu_1', name, input: {} }), close(0), ...stopFor('tool_use')),
    );
    const result = await run(host, { request });
    expect(result.parts).toMatchObject([{ type: 'tool', name: 'files.read', argumentsText: '' }]);
  });
});

describe('a stream', () => {
  test('keeps a signature that comes late with its own block', async () => {
    const host = createHost(
      stream(
        start(),
        open(0, { type: 'thinking', thinking: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
        close(0),
        ...words(1, 'Yes.'),
        delta(0, { type: 'signature_delta', signature: 'late' }),
        ...stopFor('end_turn'),
      ),
    );
    const { parts } = await run(host);
    expect(parts).toMatchObject([
      { type: 'reasoning', text: 'Hm.', opaque: { data: { type: 'thinking', thinking: 'Hm.', signature: 'late' } } },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('keeps a signature without a word of thinking, and two thoughts in a row apart', async () => {
    const silent = (index: number, signature: string): readonly UnknownRecord[] => [
      open(index, { type: 'thinking', thinking: '', signature: '' }),
      delta(index, { type: 'signature_delta', signature }),
      close(index),
    ];
    const { parts } = await run(
      createHost(stream(start(), ...silent(0, 'a'), ...silent(1, 'b'), ...words(2, 'ok'), ...stopFor('end_turn'))),
    );
    expect(parts).toMatchObject([
      { type: 'reasoning', text: '', opaque: { data: { signature: 'a' } } },
      { type: 'reasoning', text: '', opaque: { data: { signature: 'b' } } },
      { type: 'text', text: 'ok' },
    ]);
  });

  test('does not join a thought that nobody signed to the next one', async () => {
    const host = createHost(
      stream(
        start(),
        open(0, { type: 'thinking', thinking: 'Unsigned.' }),
        close(0),
        open(1, { type: 'thinking', thinking: 'Signed.', signature: 's' }),
        close(1),
        ...words(2, 'ok'),
        ...stopFor('end_turn'),
      ),
    );
    const { parts } = await run(host);
    expect(parts.map((part) => ('text' in part ? part.text : ''))).toEqual(['Unsigned.', 'Signed.', 'ok']);
    expect(parts[0]).not.toHaveProperty('opaque');
  });

  test('reads thinking after text without taking the first thought’s signature', async () => {
    const host = createHost(
      stream(
        start(),
        open(0, { type: 'thinking', thinking: 'Unsigned.' }),
        close(0),
        ...words(1, 'a'),
        open(2, { type: 'redacted_thinking', data: 'x' }),
        close(2),
        ...stopFor('end_turn'),
      ),
    );
    const { parts } = await run(host);
    expect(parts.map((part) => (part.type === 'reasoning' ? part.opaque?.data : part.type))).toEqual([
      undefined,
      'text',
      { type: 'redacted_thinking', data: 'x' },
    ]);
  });

  test('puts the mark of a source behind the words that it belongs to', async () => {
    const citation = { type: 'web_search_result_location', url: 'https://a.test/', title: 'A', cited_text: 'said' };
    const host = createHost(
      stream(
        start(),
        ...words(0, 'Before. '),
        open(1, { type: 'text', text: '', citations: [] }),
        delta(1, { type: 'citations_delta', citation }),
        delta(1, { type: 'text_delta', text: 'Cited.' }),
        close(1),
        ...words(2, ' After.'),
        ...stopFor('end_turn'),
      ),
    );
    const { parts } = await run(host);
    expect(parts).toMatchObject([
      {
        type: 'text',
        text: 'Before. Cited. After.',
        opaque: { data: [{ text: 'Before. ' }, { text: 'Cited.', citations: [citation] }, { text: ' After.' }] },
      },
      { type: 'citation', url: 'https://a.test/', title: 'A', citedText: 'said', textOffset: 'Before. Cited.'.length },
    ]);
  });

  test("names the server's failure at its work", async () => {
    const content = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' };
    const host = createHost(
      stream(
        start(),
        open(0, { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }),
        delta(0, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
        close(0),
        open(1, { type: 'web_search_tool_result', tool_use_id: 'srv_1', content }),
        close(1),
        ...words(2, 'Sorry.'),
        ...stopFor('end_turn'),
      ),
    );
    expect((await run(host)).parts[0]).toMatchObject({ type: 'hosted', id: 'srv_1', name: 'web_search', status: 'failed', queries: ['x'] });
  });

  test('counts what came from the cache and what went into it as input', async () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 200, cache_creation_input_tokens: 30, output_tokens: 5 };
    const result = await run(createHost(stream(start(), ...words(0, 'ok'), ...stopFor('end_turn', usage))));
    expect(result.usage).toEqual({ inputTokens: 240, outputTokens: 5, cachedTokens: 200, cacheWriteTokens: 30 });
  });

  test('that nobody ended was cut, one without anything is empty, and broken JSON is an error', async () => {
    const cut = await run(createHost(stream(start(), ...words(0, 'half'))));
    expect(cut).toMatchObject({ text: 'half', failure: { code: 'stream-cut', retryable: true } });
    expect((await run(createHost(stream(start(), ...stopFor('end_turn'))))).failure).toMatchObject({ code: 'answer-empty' });
    const broken = new Response('data: {"type":\n\ndata: {"type":"message_stop"}\n\n', {
      headers: { 'content-type': 'text/event-stream' },
    });
    expect((await run(createHost(broken))).failure).toMatchObject({ code: 'provider-error' });
  });

  test('takes deltas whose block was never begun, and unknown ones not', async () => {
    const host = createHost(
      stream(
        start(),
        delta(0, { type: 'text_delta', text: 'ok' }),
        delta(3, { type: 'novel_delta', novelty: 1 }),
        { type: 'novel_event' },
        ...stopFor('novel_reason'),
      ),
    );
    const result = await run(host);
    expect(result.text).toBe('ok');
    expect(result.events.at(-1)).toEqual({ type: 'finish', reason: 'other', rawReason: 'novel_reason' });
  });

  test('is given up when nobody reads on', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(delta(0, { type: 'text_delta', text: 'a' }))}\n\n`));
      },
      cancel() {
        isCancelled = true;
      },
    });
    const host = createHost(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    const io = { gate: host.gate, key: null, signal: new AbortController().signal, newId: () => 'id', ...noDevice };
    for await (const event of createAnthropicMessages().stream(testRequest(), accountAt(), io)) {
      expect(event).toEqual({ type: 'text-delta', text: 'a' });
      break;
    }
    expect(isCancelled).toBe(true);
  });
});

describe('a field that the host refuses', () => {
  const twice = async (refusal: string, options: Partial<RunOptions>): Promise<readonly UnknownRecord[]> => {
    const host = createHost(refuse(refusal), ok(), ok());
    const provider = createAnthropicMessages();
    expect((await run(host, options, provider)).text).toBe('ok');
    expect((await run(host, options, provider)).text).toBe('ok');
    return host.sent.map(({ body }) => body);
  };
  const ask = (modelId: string, rest: Partial<Parameters<typeof testRequest>[0]> = {}): Partial<RunOptions> => ({
    request: testRequest({ modelId, ...rest }),
  });

  test('is left out from then on: temperature, cache marks', async () => {
    const warm = await twice('`temperature` is deprecated for this model.', ask('novel', { sampling: { temperature: 0.5 } }));
    expect(warm.map((body) => 'temperature' in body)).toEqual([true, false, false]);
    const marked = await twice('system.0.cache_control: Extra inputs are not permitted', ask('novel', { system: ['S'] }));
    expect(marked.map((body) => JSON.stringify(body).includes('cache_control'))).toEqual([true, false, false]);
  });

  test('is made smaller: effort, tokens of the answer', async () => {
    const efforts = await twice(
      "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
      ask('claude-opus-4-7', { reasoning: 'xhigh' }),
    );
    expect(efforts.map((body) => body['output_config'])).toEqual([{ effort: 'xhigh' }, { effort: 'high' }, { effort: 'high' }]);
    const limits = await twice('max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens', ask('novel'));
    expect(limits.map((body) => body['max_tokens'])).toEqual([64_000, 32_000, 32_000]);
  });

  test('is said otherwise: a budget to a model that adapts, an answer to go on with', async () => {
    const refusal = '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort".';
    const thinking = await twice(refusal, ask('novel', { reasoning: 'low' }));
    expect(thinking.map((body) => body['thinking'])).toEqual([
      { type: 'enabled', budget_tokens: 1_024 },
      { type: 'adaptive' },
      { type: 'adaptive' },
    ]);
    const history = [...testRequest().history, { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'half' }] }];
    const prefilled = await twice('This model does not support assistant message prefill.', ask('novel', { history }));
    expect(prefilled.map((body) => (isList(body['messages']) ? body['messages'].length : 0))).toEqual([2, 3, 3]);
  });

  test('is not sent to a model that the user says does not reason', async () => {
    const levels = async (reasoning: boolean | undefined, modelId: string): Promise<unknown> => {
      const host = createHost(ok());
      const account = accountAt({ overrides: reasoning === undefined ? {} : { [modelId]: { reasoning } } });
      await run(host, { account, request: testRequest({ modelId, reasoning: 'high' }) });
      return host.sent[0]?.body['thinking'];
    };
    expect(await levels(undefined, 'claude-novel-6')).toMatchObject({ type: 'adaptive' });
    expect(await levels(undefined, 'novel')).toMatchObject({ type: 'enabled' });
    expect(await levels(false, 'novel')).toBeUndefined();
    expect(await levels(false, 'claude-novel-6')).toBeUndefined();
    expect(await levels(undefined, 'deepseek-chat')).toBeUndefined();
  });

  test('that nothing can replace is an error', async () => {
    const host = createHost(refuse('messages.0.content: novel trouble'));
    expect((await run(host)).failure).toMatchObject({
      code: 'request-rejected',
      details: { message: 'messages.0.content: novel trouble' },
    });
    expect(host.sent.length).toBe(1);
  });
});

describe('models', () => {
  const list = (provider: Provider, host: { readonly gate: RunOptions['gate'] }) =>
    provider.listModels(accountAt(), {
      gate: host.gate,
      key: TEST_KEY,
      signal: new AbortController().signal,
      newId: () => 'id',
      ...noDevice,
    });
  const entry = (id: string, name: string): UnknownRecord => ({
    type: 'model',
    id,
    display_name: name,
    created_at: '2025-01-01T00:00:00Z',
  });

  test('come from every page of the list', async () => {
    const host = createHost(
      json({ data: [entry('claude-opus-4-6', 'Claude Opus 4.6')], has_more: true, last_id: 'claude-opus-4-6' }),
      json({ data: [entry('claude-3-haiku-20240307', 'Claude Haiku 3')], has_more: false, last_id: 'claude-3-haiku-20240307' }),
    );
    expect(await list(createAnthropicMessages(), host)).toEqual([
      {
        id: 'claude-3-haiku-20240307',
        name: 'Claude Haiku 3',
        capabilities: { vision: true, tools: true, reasoning: false, contextTokens: 200_000, documents: false, hostedSearch: false },
      },
      {
        id: 'claude-opus-4-6',
        name: 'Claude Opus 4.6',
        capabilities: { vision: true, tools: true, reasoning: true, contextTokens: 200_000, documents: true, hostedSearch: true },
      },
    ]);
    expect(host.sent.map(({ url }) => url)).toEqual([
      'https://api.anthropic.com/v1/models?limit=1000',
      'https://api.anthropic.com/v1/models?limit=1000&after_id=claude-opus-4-6',
    ]);
    expect(host.sent[0]?.headers.get('x-api-key')).toBe(TEST_KEY);
  });

  test('a server that repeats its page is asked no more', async () => {
    const page = { data: [entry('a', 'A')], has_more: true, last_id: 'a' };
    const host = createHost(json(page), json(page), json(page));
    expect((await list(createAnthropicMessages(), host)).map(({ id }) => id)).toEqual(['a']);
    expect(host.sent.length).toBe(2);
  });

  test('are what the user says they are', () => {
    const account = accountAt({ overrides: { 'claude-opus-4-6': { documents: false } } });
    expect(createAnthropicMessages().capabilities('claude-novel-6', account)).toMatchObject({ reasoning: true, documents: true });
    expect(createAnthropicMessages().capabilities('claude-opus-4-6', account)).toMatchObject({
      documents: false,
      hostedSearch: true,
      reasoning: true,
    });
  });
});

describe.skipIf(!hasFixtures)('recorded refusals', () => {
  const kinds: Readonly<Record<string, string>> = {
    overloaded: 'overloaded',
    bad_request: 'request-rejected',
    auth: 'auth',
    context_length: 'context-overflow',
  };
  const files = listFixtures('streams/errors', '.json').filter((path) => path.includes('anthropic'));

  test('are all there', () => {
    expect(files.length).toBe(4);
  });

  test.each(files)('%s', async (path) => {
    const fixture = readJsonFixture(path);
    if (!isRecord(fixture) || !isRecord(fixture['expected'])) throw new Error(`${path} has another shape`);
    const { kind, retryable } = fixture['expected'];
    const host = createHost(
      new Response(textAt(fixture, 'body') ?? '', { status: Number(fixture['status']), headers: { 'content-type': 'application/json' } }),
    );
    const result = await run(host);
    expect(endsProperly(result)).toBe(true);
    expect(result.failure).toMatchObject({ code: kinds[String(kind)], retryable });
  });
});

function toRequestPart(part: RunResult['parts'][number]): readonly RequestPart[] {
  if (part.type === 'reasoning')
    return [{ type: 'reasoning', text: part.text, ...(part.opaque === undefined ? {} : { opaque: part.opaque.data }) }];
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type !== 'tool') return [];
  const { callId, wireId, name, argumentsText } = part;
  return [{ type: 'tool-call', callId, wireId, name, argumentsText, result: { text: 'done', isError: false, images: [] } }];
}
