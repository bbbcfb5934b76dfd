import { describe, expect, test } from 'vitest';
import { REASONING_LEVELS } from '../../src/core/account';
import type { JsonObject } from '../../src/core/errors';
import type { ModelRequest, RequestMessage, RequestPart } from '../../src/core/request';
import { responsesQuirksOf } from '../../src/providers/shared/responses-quirks';
import { responsesBody, type ResponsesOptions } from '../../src/providers/shared/responses-request';
import { testRequest } from './run-provider';

const OPENAI = 'https://api.openai.com/v1';
const OTHER = 'https://api.example.test/v1';

function body(baseUrl: string, request: Partial<ModelRequest> = {}, options: Partial<ResponsesOptions> = {}): JsonObject {
  const full = testRequest(request);
  const quirks = responsesQuirksOf(baseUrl, full.modelId);
  return responsesBody(full, { quirks, reasons: false, sees: true, extra: {}, ...options });
}

const user = (...parts: readonly RequestPart[]): RequestMessage => ({ role: 'user', parts });
const assistant = (...parts: readonly RequestPart[]): RequestMessage => ({ role: 'assistant', parts });
const text = (words: string): RequestPart => ({ type: 'text', text: words });
const call = (callId: string, wireId: string, fields: Partial<Extract<RequestPart, { type: 'tool-call' }>> = {}): RequestPart => ({
  type: 'tool-call',
  callId,
  wireId,
  name: 'add',
  argumentsText: '{"a": 1}',
  result: { text: '2', isError: false, images: [] },
  ...fields,
});
const input = (history: readonly RequestMessage[], options: Partial<ResponsesOptions> = {}, baseUrl = OPENAI, store = false): unknown =>
  body(baseUrl, { history, store }, options)['input'];

describe('the body', () => {
  test('is no more than what was set', () => {
    expect(body(OTHER)).toEqual({
      model: 'replay-model',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      store: false,
      stream: true,
    });
  });

  test('holds everything that was set, and the account’s fields last', () => {
    const sampling = { temperature: 0.5, topP: 0.9, maxTokens: 64 };
    const system = ['A.', ' ', 'B.'];
    const full = body(
      OPENAI,
      { sampling, system, store: true, stream: false, cacheKey: 'k'.repeat(70) },
      { extra: { user: 'u', store: false } },
    );
    expect(full).toMatchObject({
      instructions: 'A.\n\nB.',
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 64,
      store: false,
      stream: false,
      user: 'u',
      prompt_cache_key: 'k'.repeat(64),
    });
    expect(body(OTHER, { cacheKey: 'key' })).not.toHaveProperty('prompt_cache_key');
    expect(body(OPENAI, { modelId: 'o3', sampling })).not.toHaveProperty('temperature');
  });

  test.each([
    ['auto', undefined],
    ['none', 'none'],
    ['required', 'required'],
    [{ name: 'a.b' }, { type: 'function', name: expect.stringMatching(/^a_b_[a-zA-Z0-9]{8}$/) }],
  ] as const)('tools are flat, and the choice %j is %j', (toolChoice, expected) => {
    const tools = [{ name: 'a.b', description: 'Does.', parameters: { $schema: 'x', properties: { a: { type: 'string' } } } }];
    const full = body(OTHER, { tools, toolChoice });
    expect(full['tools']).toEqual([
      {
        type: 'function',
        name: expect.stringMatching(/^a_b_[a-zA-Z0-9]{8}$/),
        description: 'Does.',
        parameters: { type: 'object', properties: { a: { type: 'string' } } },
        strict: false,
      },
    ]);
    expect(full['tool_choice']).toEqual(expected);
  });

  test('the host’s search stands among the tools and asks for its pages', () => {
    const full = body(OPENAI, { hostedSearch: true });
    expect([full['tools'], full['include']]).toEqual([[{ type: 'web_search' }], ['web_search_call.action.sources']]);
    expect(body(OTHER, { hostedSearch: true })).not.toHaveProperty('include');
  });
});

describe('reasoning', () => {
  test.each([
    ['api.openai.com, GPT-5.2', OPENAI, 'gpt-5.2', 'none auto low low medium high xhigh xhigh'],
    ['api.openai.com, Codex', OPENAI, 'gpt-5.1-codex', 'none auto low low medium high xhigh xhigh'],
    ['api.openai.com, GPT-5.1', OPENAI, 'gpt-5.1', 'none auto low low medium high high high'],
    ['api.openai.com, GPT-5', OPENAI, 'gpt-5', 'minimal auto minimal low medium high high high'],
    ['api.openai.com, o3', OPENAI, 'o3', 'low auto low low medium high high high'],
    ['elsewhere', OTHER, 'gpt-5.2', 'none auto low low medium high high high'],
    ['Volcengine', 'https://ark.cn-beijing.volces.com/api/v3', 'doubao-seed-1-6', 'none auto low low medium high high high'],
  ])('%s: every level', (_name, baseUrl, modelId, expected) => {
    const order = ['off', 'auto', ...REASONING_LEVELS.slice(2)] as const;
    const sent = order.map((level) => {
      const { reasoning } = body(baseUrl, { modelId, reasoning: level }, { reasons: true });
      const { effort } = typeof reasoning === 'object' && reasoning !== null && 'effort' in reasoning ? reasoning : {};
      return typeof effort === 'string' ? effort : 'auto';
    });
    expect(sent.join(' ')).toBe(expected);
  });

  test('a model that reasons is asked for summary and encrypted form, others are not', () => {
    expect(body(OTHER, {}, { reasons: true })).toMatchObject({ reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'] });
    for (const reasons of [false, 'unknown'] as const) {
      expect(Object.keys(body(OTHER, {}, { reasons }))).not.toEqual(expect.arrayContaining(['reasoning']));
      expect(body(OTHER, {}, { reasons })).not.toHaveProperty('include');
    }
    expect(body(OTHER, { reasoning: 'high' }, { reasons: false })).not.toHaveProperty('reasoning');
    expect(body(OTHER, { reasoning: 'high' }, { reasons: 'unknown' })['reasoning']).toEqual({ effort: 'high' });
  });

  test('an answer that is kept needs no encrypted form, and Volcengine knows none', () => {
    expect(body(OTHER, { store: true }, { reasons: true })).not.toHaveProperty('include');
    const full = body('https://ark.cn-beijing.volces.com/api/v3', { reasoning: 'low' }, { reasons: true });
    expect([full['reasoning'], full['include']]).toEqual([{ effort: 'low' }, undefined]);
  });

  test('the least of thinking is raised for a search', () => {
    const full = body(OPENAI, { modelId: 'gpt-5', reasoning: 'minimal', hostedSearch: true }, { reasons: true });
    expect(full['reasoning']).toEqual({ summary: 'auto', effort: 'low' });
  });
});

describe('items', () => {
  const picture = { mimeType: 'image/jpg', base64: 'AAAA' };
  const shown = { type: 'input_image', image_url: 'data:image/jpeg;base64,AAAA' };
  const file = (kind: 'audio' | 'document'): RequestPart => ({
    type: 'file',
    kind,
    mimeType: 'application/pdf',
    name: 'a.pdf',
    base64: 'BBBB',
  });

  test('of the user: words, picture, document, and words for a recording', () => {
    expect(input([user(text('See'), { type: 'image', ...picture }, file('document'), file('audio'))])).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          shown,
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
          { type: 'input_text', text: '[Recording “a.pdf” left out: this server does not take it.]' },
        ],
      },
    ]);
  });

  test('of the assistant: words with their phase, and its pictures with the user’s next words', () => {
    const history = [
      user(text('Draw')),
      assistant({ type: 'text', text: 'Here', opaque: { phase: 'final_answer' } }, { type: 'image', ...picture }),
      user(text('Thanks')),
    ];
    expect(input(history)).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Draw' }] },
      { type: 'message', role: 'assistant', phase: 'final_answer', content: [{ type: 'output_text', text: 'Here' }] },
      { type: 'message', role: 'user', content: [shown, { type: 'input_text', text: 'Thanks' }] },
    ]);
  });

  test('calls of a step come first, then their results; ids that repeat are told apart', () => {
    const items = input([user(text('Go')), assistant(call('1', 'call_0'), call('2', 'call_1'), text('Next'), call('3', 'call_0'))]);
    expect(items).toMatchObject([
      { role: 'user' },
      { type: 'function_call', call_id: 'call_0', name: 'add', arguments: '{"a": 1}' },
      { type: 'function_call', call_id: 'call_1' },
      { type: 'function_call_output', call_id: 'call_0', output: '2' },
      { type: 'function_call_output', call_id: 'call_1' },
      { type: 'message', role: 'assistant' },
      { type: 'function_call', call_id: expect.stringMatching(/^[a-zA-Z0-9]{10}$/) },
      { type: 'function_call_output', call_id: expect.stringMatching(/^[a-zA-Z0-9]{10}$/) },
    ]);
  });

  test('a call of free text stays one, broken arguments become an empty object', () => {
    const custom = call('1', 'a', { argumentsText: 'SELECT 1', opaque: { type: 'custom_tool_call' } });
    expect(input([assistant(custom, call('2', 'b', { argumentsText: '{"a' }))])).toEqual([
      { type: 'custom_tool_call', call_id: 'a', name: 'add', input: 'SELECT 1' },
      { type: 'function_call', call_id: 'b', name: 'add', arguments: '{}' },
      { type: 'custom_tool_call_output', call_id: 'a', output: '2' },
      { type: 'function_call_output', call_id: 'b', output: '2' },
    ]);
  });

  test('a result’s pictures: in it, after it, or in words', () => {
    const seen = call('1', 'a', { result: { text: 'Map', isError: false, images: [picture] } });
    expect(input([assistant(seen)])).toContainEqual({
      type: 'function_call_output',
      call_id: 'a',
      output: [{ type: 'input_text', text: 'Map' }, shown],
    });
    expect(input([assistant(seen)], {}, OTHER)).toContainEqual({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '[From the result of add:]' }, shown],
    });
    expect(input([assistant(seen)], { sees: false })).toContainEqual({
      type: 'function_call_output',
      call_id: 'a',
      output: 'Map\n\n[A picture is left out: this model cannot see it.]',
    });
  });

  describe('thinking', () => {
    const item = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: ' Hm. ' }], encrypted_content: 'gAAA=' };
    const thought = (opaque: JsonObject | undefined): RequestPart => ({ type: 'reasoning', text: ' Hm. ', ...(opaque && { opaque }) });

    test('goes back unchanged before what it led to', () => {
      expect(input([assistant(thought(item), call('1', 'a'))])).toMatchObject([
        item,
        { type: 'function_call' },
        { type: 'function_call_output' },
      ]);
      expect(input([assistant(thought(item), text('So'))])).toMatchObject([item, { type: 'message' }]);
    });

    test.each([
      ['without its item', undefined, text('So'), 1],
      ['by its id alone', { id: 'rs_1', type: 'reasoning', summary: [] }, text('So'), 1],
      ['of another kind', { phase: 'x' }, text('So'), 1],
      ['that led to nothing', item, undefined, 0],
    ])('%s stays here', (_name, opaque, next, count) => {
      expect(input([user(text('Go')), assistant(thought(opaque), ...(next === undefined ? [] : [next]))])).toHaveLength(1 + count);
    });

    test('in plain words goes back, and by its id alone where answers are kept', () => {
      const plain = { id: 'rs_1', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] };
      expect(input([assistant(thought(plain), text('So'))])).toMatchObject([plain, {}]);
      const bare = { id: 'rs_1', type: 'reasoning', summary: [] };
      expect(input([assistant(thought(bare), text('So'))], {}, OPENAI, true)).toMatchObject([bare, {}]);
    });
  });

  test('hosted work goes back raw, a request for approval doesn’t', () => {
    const raw = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } };
    const hosted = (opaque: JsonObject): RequestPart => ({ type: 'hosted', id: 'h', name: 'h', opaque });
    expect(input([assistant(hosted(raw), hosted({ type: 'mcp_approval_request', id: 'm' }), text('So'))])).toMatchObject([
      raw,
      { type: 'message' },
    ]);
  });
});
