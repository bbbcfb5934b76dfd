import { describe, expect, test } from 'vitest';
import type { Part } from '../../src/core/node';
import type { ModelRequest, RequestMessage, RequestPart } from '../../src/core/request';
import { isList, isRecord } from '../../src/outbound/json';
import { createOpenAiChat } from '../../src/providers/openai-chat';
import { createOpenAiResponses } from '../../src/providers/openai-responses';
import type { Provider } from '../../src/providers/provider';
import { quirksOf } from '../../src/providers/shared/openai-quirks';
import { chatBody } from '../../src/providers/shared/openai-request';
import { createWireNames } from '../../src/providers/shared/wire-names';
import { createTestGate } from '../outbound/test-gate';
import { hasFixtures, readFixture } from '../support/fixtures';
import { runProvider, testAccount, testRequest } from './run-provider';

type CallFields = Partial<Extract<RequestPart, { type: 'tool-call' }>>;

const text = (words: string): RequestPart => ({ type: 'text', text: words });
const thought = (words: string): RequestPart => ({ type: 'reasoning', text: words });
const call = (callId: string, wireId: string, fields: CallFields = {}): RequestPart => ({
  type: 'tool-call',
  callId,
  wireId,
  name: 'add',
  argumentsText: '{"a": 1}',
  result: { text: '2', isError: false, images: [] },
  ...fields,
});
const user = (...parts: readonly RequestPart[]): RequestMessage => ({ role: 'user', parts });
const assistant = (...parts: readonly RequestPart[]): RequestMessage => ({ role: 'assistant', parts });

const HOSTS = {
  common: 'https://api.example.test/v1',
  openai: 'https://api.openai.com/v1',
  deepseek: 'https://api.deepseek.com/v1',
  mistral: 'https://api.mistral.ai/v1',
  moonshot: 'https://api.moonshot.ai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
};

function body(host: keyof typeof HOSTS, request: Partial<ModelRequest>, sees = true): ReturnType<typeof chatBody> {
  const full = testRequest(request);
  return chatBody(full, { quirks: quirksOf(HOSTS[host], 'custom', full.modelId), reasons: true, sees, extra: {} });
}

const messages = (host: keyof typeof HOSTS, history: readonly RequestMessage[], sees = true): unknown =>
  body(host, { history }, sees)['messages'];

describe('Chat Completions: a tool loop', () => {
  const wireCall = (id: string) => ({ id, type: 'function', function: { name: 'add', arguments: '{"a": 1}' } });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, name: 'add', content: '2' });

  test('is one message a step, with the results after it', () => {
    expect(
      messages('common', [user(text('Go')), assistant(text('Well'), call('1', 'a'), call('2', 'b'), text('Then'), call('3', 'c'))]),
    ).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'Well', tool_calls: [wireCall('a'), wireCall('b')] },
      result('a'),
      result('b'),
      { role: 'assistant', content: 'Then', tool_calls: [wireCall('c')] },
      result('c'),
    ]);
  });

  test('DeepSeek gets its thinking back while the loop runs, an empty one too, and not afterwards', () => {
    const running = [user(text('Go')), assistant(thought('Hm.'), call('1', 'a'), text('So'), call('2', 'b'))];
    expect(messages('deepseek', running)).toMatchObject([{}, { reasoning_content: 'Hm.' }, {}, { reasoning_content: '' }, {}]);
    expect(messages('moonshot', running)).toMatchObject([{}, { reasoning_content: 'Hm.' }, {}, { content: 'So' }, {}]);
    expect(JSON.stringify(messages('common', running))).not.toContain('reasoning');
    expect(JSON.stringify(messages('deepseek', [...running, user(text('Next'))]))).not.toContain('reasoning');
  });

  test('OpenRouter gets its details back, made of nothing but what it sent', () => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 'x', index: 0 }];
    const kept = assistant({ type: 'reasoning', text: 'Hm.', opaque: details }, thought('Other.'), call('1', 'a'));
    expect(messages('openrouter', [user(text('Go')), kept])).toMatchObject([{}, { reasoning_details: details }, {}]);
    expect(JSON.stringify(messages('openrouter', [assistant(thought('Other.'), call('1', 'a'))]))).not.toContain('reasoning');
  });

  test('ids are the wire’s, told apart where they repeat, and short and always the same at Mistral', () => {
    const history = [assistant(call('1', 'call_0')), user(text('Go on')), assistant(call('2', 'call_0'), call('3', ''))];
    const idsAt = (host: keyof typeof HOSTS): readonly string[] => {
      const list = messages(host, history);
      return (isList(list) ? list : []).flatMap((message) =>
        isRecord(message) && message['role'] === 'tool' ? [String(message['tool_call_id'])] : [],
      );
    };
    expect(idsAt('common')[0]).toBe('call_0');
    for (const host of ['common', 'mistral'] as const) expect(new Set(idsAt(host)).size).toBe(3);
    expect(idsAt('mistral')).toEqual(Array(3).fill(expect.stringMatching(/^[a-zA-Z0-9]{9}$/)));
    expect(idsAt('mistral')).toEqual(idsAt('mistral'));
    expect(JSON.stringify(messages('openai', [assistant(call('1', 'x'.repeat(41)))]))).not.toContain('x'.repeat(41));
  });

  test('pictures of a result: after it, in it, or in words', () => {
    const seen = call('1', 'a', { result: { text: 'Map', isError: false, images: [{ mimeType: 'image/png', base64: 'AAAA' }] } });
    const shown = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    expect(messages('common', [assistant(seen), user(text('And?'))])).toMatchObject([
      {},
      { role: 'tool', content: 'Map' },
      { role: 'user', content: [{ text: '[From the result of add:]' }, shown, { text: 'And?' }] },
    ]);
    expect(messages('mistral', [assistant(seen)])).toMatchObject([{}, { role: 'tool', content: [{ type: 'text', text: 'Map' }, shown] }]);
    expect(messages('common', [assistant(seen)], false)).toMatchObject([
      {},
      { role: 'tool', content: 'Map\n\n[A picture is left out: this model cannot see it.]' },
    ]);
  });
});

describe('Chat Completions: what hosts know', () => {
  const tools = [{ name: 'a.b', description: 'Does.', parameters: {} }];

  test('choices of tools', () => {
    const choice = (host: keyof typeof HOSTS, toolChoice: ModelRequest['toolChoice']): unknown =>
      body(host, { tools, toolChoice })['tool_choice'];
    expect([choice('common', 'auto'), choice('common', 'none'), choice('common', 'required'), choice('mistral', 'required')]).toEqual([
      undefined,
      'none',
      'required',
      'any',
    ]);
    expect(choice('common', { name: 'a.b' })).toMatchObject({ type: 'function', function: { name: expect.stringMatching(/^a_b_/) } });
    expect(body('common', { toolChoice: 'required' })).not.toHaveProperty('tool_choice');
  });

  test('cache keys', () => {
    const cacheKey = 'k'.repeat(300);
    expect(body('openai', { cacheKey })['prompt_cache_key']).toBe('k'.repeat(64));
    expect(body('openrouter', { cacheKey })['session_id']).toBe('k'.repeat(256));
    expect(JSON.stringify(body('common', { cacheKey }))).not.toContain('kkk');
  });

  test('search of their own', () => {
    const hostedSearch = true;
    expect(body('openrouter', { hostedSearch })['plugins']).toEqual([{ id: 'web' }]);
    const preview = body('openai', { hostedSearch, modelId: 'gpt-4o-search-preview' });
    expect(preview['web_search_options']).toEqual({ search_context_size: 'medium' });
    expect(Object.keys(body('openai', { hostedSearch }))).toEqual(Object.keys(body('openai', {})));
  });

  test('sound and PDF files, or words in their place', () => {
    const sound: RequestPart = { type: 'file', kind: 'audio', mimeType: 'audio/mpeg', name: 'a.mp3', base64: 'AAAA' };
    const pdf: RequestPart = { type: 'file', kind: 'document', mimeType: 'application/pdf', name: 'a.pdf', base64: 'BBBB' };
    expect(messages('openai', [user(sound, pdf)])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
        ],
      },
    ]);
    expect(messages('common', [user(sound, pdf)])).toEqual([
      {
        role: 'user',
        content:
          '[Recording “a.mp3” left out: this server does not take it.]\n\n[Document “a.pdf” left out: this server does not take it.]',
      },
    ]);
  });
});

test('names: valid ones stay, others are cleaned, unique and found again', () => {
  const given = ['ok', 'a.b', 'a:b', 'x'.repeat(80), `${'x'.repeat(79)}y`, '時計', ''];
  const names = createWireNames(given);
  const wire = given.map((name) => names.toWire(name));
  expect(wire[0]).toBe('ok');
  expect(new Set(wire).size).toBe(given.length);
  for (const name of wire) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(wire.map((name) => names.fromWire(name))).toEqual(given);
  expect(createWireNames([...given].reverse()).toWire('a.b')).toBe(wire[1]);
});

describe.skipIf(!hasFixtures)('two steps, recorded: the second request brings back what the first answer said', () => {
  test('Chat Completions', async () => {
    const sent = await secondBody(createOpenAiChat(), 'openrouter/reasoning-details-tool', HOSTS.openrouter);
    const { reasoningDetails, toolCalls } = expectedOf('openrouter/reasoning-details-tool');
    const list = isList(sent['messages']) ? sent['messages'] : [];
    expect(list[1]).toMatchObject({ role: 'assistant', reasoning_details: reasoningDetails, tool_calls: [{ id: idOf(toolCalls) }] });
    expect(list[2]).toMatchObject({ role: 'tool', tool_call_id: idOf(toolCalls), content: 'done' });
  });

  test('Responses', async () => {
    const name = 'openai-responses/reasoning-encrypted-1';
    const sent = await secondBody(createOpenAiResponses(), name, HOSTS.openai);
    const line = readFixture(`streams/${name}.sse`)
      .toString('utf8')
      .split('\n')
      .find(
        (candidate) =>
          candidate.includes('response.output_item.done') && candidate.startsWith('data:') && candidate.includes('"reasoning"'),
      );
    const event: unknown = JSON.parse((line ?? '').slice('data:'.length));
    const list = isList(sent['input']) ? sent['input'] : [];
    // As text: every byte and the order of the fields.
    expect(JSON.stringify(list[1])).toBe(JSON.stringify(isRecord(event) ? event['item'] : undefined));
    expect(list[2]).toMatchObject({ type: 'function_call', call_id: idOf(expectedOf(name).toolCalls) });
    expect(list[3]).toEqual({ type: 'function_call_output', call_id: idOf(expectedOf(name).toolCalls), output: 'done' });
  });
});

function expectedOf(name: string): { readonly reasoningDetails: unknown; readonly toolCalls: unknown } {
  const value: unknown = JSON.parse(readFixture(`streams/${name}.expected.json`).toString('utf8'));
  return isRecord(value)
    ? { reasoningDetails: value['reasoningDetails'], toolCalls: value['toolCalls'] }
    : { reasoningDetails: null, toolCalls: null };
}

function idOf(calls: unknown): unknown {
  const first: unknown = isList(calls) ? calls[0] : undefined;
  return isRecord(first) ? first['id'] : undefined;
}

/** Plays a recorded answer, gives its calls a result, asks again, and returns what was sent the second time. */
async function secondBody(provider: Provider, name: string, baseUrl: string): Promise<Record<string, unknown>> {
  const bodies: string[] = [];
  const { gate } = createTestGate({
    fetch: (_url, init) => {
      bodies.push(typeof init?.body === 'string' ? init.body : '');
      return Promise.resolve(
        new Response(new Uint8Array(readFixture(`streams/${name}.sse`)), { headers: { 'content-type': 'text/event-stream' } }),
      );
    },
  });
  const account = testAccount(baseUrl, { provider: provider.id });
  const first = await runProvider(provider, { gate, account });
  const history = [user(text('Hello')), assistant(...first.parts.flatMap(toRequestParts))];
  await runProvider(provider, { gate, account, request: testRequest({ history }) });
  const sent: unknown = JSON.parse(bodies[1] ?? '');
  return isRecord(sent) ? sent : {};
}

function toRequestParts(part: Part): readonly RequestPart[] {
  const opaque = 'opaque' in part && part.opaque !== undefined ? { opaque: part.opaque.data } : {};
  if (part.type === 'text' || part.type === 'reasoning') return [{ type: part.type, text: part.text, ...opaque }];
  if (part.type !== 'tool') return [];
  const { callId, wireId, name, argumentsText } = part;
  return [call(callId, wireId, { name, argumentsText, ...opaque, result: { text: 'done', isError: false, images: [] } })];
}
