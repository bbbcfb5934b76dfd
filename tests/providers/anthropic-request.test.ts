import { describe, expect, test } from 'vitest';
import type { ReasoningLevel } from '../../src/core/account';
import type { JsonObject } from '../../src/core/errors';
import type { ModelRequest, RequestMessage, RequestPart } from '../../src/core/request';
import { anthropicModel } from '../../src/providers/shared/anthropic-models';
import { messagesBody } from '../../src/providers/shared/anthropic-request';
import { wireNamesOf } from '../../src/providers/shared/wire-names';
import { testRequest } from './run-provider';

const SONNET = 'claude-sonnet-4-5-20250929';
const MARK = { cache_control: { type: 'ephemeral' } };

function bodyOf(overrides: Partial<ModelRequest> = {}, extra: JsonObject = {}, reasons = true): JsonObject {
  const request = testRequest({ modelId: SONNET, ...overrides });
  return messagesBody(request, { model: anthropicModel(request.modelId), names: wireNamesOf(request), reasons, extra });
}

const messagesOf = (...history: readonly RequestMessage[]): unknown => bodyOf({ history })['messages'];
const user = (...parts: readonly RequestPart[]): RequestMessage => ({ role: 'user', parts });
const assistant = (...parts: readonly RequestPart[]): RequestMessage => ({ role: 'assistant', parts });
const text = (words: string): RequestPart => ({ type: 'text', text: words });
const call = (callId: string, wireId: string, argumentsText = '{"a":1}', isError = false): Extract<RequestPart, { type: 'tool-call' }> => ({
  type: 'tool-call',
  callId,
  wireId,
  name: 'look',
  argumentsText,
  result: { text: `result of ${callId}`, isError, images: [] },
});
const tool = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { a: { type: 'number' } } } };

describe('the body', () => {
  test('says the least where nothing is set', () => {
    expect(bodyOf()).toEqual({
      model: SONNET,
      max_tokens: 64_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      stream: true,
    });
  });

  test('has system texts as blocks, blank ones left out', () => {
    expect(bodyOf({ system: ['One.', ' ', 'Two.'] })['system']).toEqual([
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.', ...MARK },
    ]);
  });

  test('merges the own fields of an account last', () => {
    const body = bodyOf({ reasoning: 'low' }, { thinking: { budget_tokens: 5_000 }, metadata: { user_id: 'me' } });
    expect(body['thinking']).toEqual({ type: 'enabled', budget_tokens: 5_000 });
    expect(body['metadata']).toEqual({ user_id: 'me' });
  });

  test.each([
    ['auto', undefined],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ name: 'look' }, { type: 'tool', name: 'look' }],
  ] as const)('tool choice %o', (toolChoice, expected) => {
    const body = bodyOf({ tools: [tool], toolChoice });
    expect(body['tool_choice']).toEqual(expected);
    expect(body['tools']).toEqual([{ name: 'look', description: 'Looks.', input_schema: tool.parameters, ...MARK }]);
  });

  test('forces no call on a model that thinks, and none where there are no tools', () => {
    expect(bodyOf({ tools: [tool], toolChoice: 'required', reasoning: 'low' })['tool_choice']).toEqual({ type: 'auto' });
    expect(bodyOf({ toolChoice: 'required' })).not.toHaveProperty('tool_choice');
  });

  test('lets the server search', () => {
    expect(bodyOf({ hostedSearch: true })['tools']).toEqual([{ type: 'web_search_20250305', name: 'web_search', ...MARK }]);
  });

  test('marks the end of the system text, the last tool and the user message before the last, never thinking', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const body = bodyOf({
      system: ['S'],
      tools: [tool, { ...tool, name: 'other' }],
      history: [
        user(text('1')),
        assistant({ type: 'reasoning', text: 'Hm.', opaque: thinking }, text('2')),
        user(text('3'), text('4')),
        assistant(text('5')),
        user(text('6')),
      ],
    });
    expect(JSON.stringify(body).split('cache_control').length - 1).toBe(3);
    expect(body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: '1' }] },
      { role: 'assistant', content: [thinking, { type: 'text', text: '2' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: '3' },
          { type: 'text', text: '4', ...MARK },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: '5' }] },
      { role: 'user', content: [{ type: 'text', text: '6' }] },
    ]);
  });
});

describe('limits and sampling', () => {
  test.each([
    ['claude-3-haiku-20240307', 4_096],
    ['claude-2.1', 4_096],
    ['claude-3-5-sonnet-20241022', 8_192],
    ['claude-3-7-sonnet-latest', 64_000],
    ['claude-opus-4-20250514', 32_000],
    ['anthropic/claude-opus-4.1', 32_000],
    ['claude-haiku-4-5', 64_000],
    ['claude-opus-4-6', 64_000],
    ['MiniMax-M2', 64_000],
  ])('%s answers in at most %d tokens by default', (modelId, expected) => {
    expect(bodyOf({ modelId })['max_tokens']).toBe(expected);
  });

  test("the user's limit counts up to the model's", () => {
    expect(bodyOf({ sampling: { maxTokens: 100 } })['max_tokens']).toBe(100);
    expect(bodyOf({ modelId: 'claude-3-haiku-20240307', sampling: { maxTokens: 9_000 } })['max_tokens']).toBe(4_096);
    expect(bodyOf({ modelId: 'claude-opus-4-6', sampling: { maxTokens: 100_000 } })['max_tokens']).toBe(100_000);
  });

  test.each<[string, ReasoningLevel, JsonObject]>([
    ['claude-3-5-haiku-latest', 'auto', { temperature: 1, top_p: 0.5 }],
    ['claude-3-7-sonnet-latest', 'low', {}],
    ['claude-sonnet-4-5', 'off', { temperature: 1 }],
    ['claude-opus-4-7', 'auto', {}],
  ])('%s at %s gets %o', (modelId, reasoning, expected) => {
    const { temperature, top_p } = bodyOf({ modelId, reasoning, sampling: { temperature: 1.5, topP: 0.5 } });
    expect({ ...(temperature === undefined ? {} : { temperature }), ...(top_p === undefined ? {} : { top_p }) }).toEqual(expected);
  });
});

describe('thinking', () => {
  const on = (budget_tokens: number): JsonObject => ({ thinking: { type: 'enabled', budget_tokens } });
  const adaptive = (effort: string): JsonObject => ({
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort },
  });
  const off = { thinking: { type: 'disabled' } };

  test.each<[string, Record<ReasoningLevel, JsonObject>]>([
    [
      'claude-sonnet-4-5',
      { auto: {}, off, minimal: on(1_024), low: on(2_048), medium: on(8_192), high: on(16_384), xhigh: on(16_384), max: on(32_768) },
    ],
    [
      'MiniMax-M2',
      { auto: {}, off, minimal: on(1_024), low: on(1_024), medium: on(2_000), high: on(8_000), xhigh: on(16_000), max: on(32_000) },
    ],
    [
      'claude-opus-4-6',
      {
        auto: {},
        off,
        minimal: adaptive('low'),
        low: adaptive('low'),
        medium: adaptive('medium'),
        high: adaptive('high'),
        xhigh: adaptive('high'),
        max: adaptive('max'),
      },
    ],
    [
      'claude-sonnet-4-6',
      {
        auto: {},
        off,
        minimal: adaptive('low'),
        low: adaptive('low'),
        medium: adaptive('medium'),
        high: adaptive('high'),
        xhigh: adaptive('high'),
        max: adaptive('high'),
      },
    ],
    [
      'claude-fable-5',
      {
        auto: {},
        off,
        minimal: adaptive('low'),
        low: adaptive('low'),
        medium: adaptive('medium'),
        high: adaptive('high'),
        xhigh: adaptive('xhigh'),
        max: adaptive('max'),
      },
    ],
    ['claude-3-5-sonnet-latest', { auto: {}, off: {}, minimal: {}, low: {}, medium: {}, high: {}, xhigh: {}, max: {} }],
  ])('%s', (modelId, levels) => {
    for (const [reasoning, expected] of Object.entries(levels)) {
      const body = bodyOf({ modelId, reasoning: levelOf(reasoning) });
      const { thinking, output_config } = body;
      expect({ ...(thinking === undefined ? {} : { thinking }), ...(output_config === undefined ? {} : { output_config }) }).toEqual(
        expected,
      );
    }
  });

  test('says nothing to a model that does not reason', () => {
    expect(bodyOf({ modelId: 'MiniMax-M2', reasoning: 'high' }, {}, false)).not.toHaveProperty('thinking');
  });

  test("adds a budget to the user's limit, and makes it smaller where the model can't", () => {
    expect(bodyOf({ reasoning: 'medium', sampling: { maxTokens: 1_000 } })).toMatchObject({ max_tokens: 9_192, ...on(8_192) });
    expect(bodyOf({ modelId: 'claude-opus-4-1', reasoning: 'max', sampling: { maxTokens: 8_000 } })).toMatchObject({
      max_tokens: 32_000,
      ...on(32_000 - 1_024),
    });
  });
});

describe('turns', () => {
  test('alternate, with blank texts and empty turns left out', () => {
    expect(
      messagesOf(
        user(text('a')),
        assistant(text(' \n')),
        user(text('b'), text('')),
        assistant(text('c')),
        assistant(text('d')),
        user(text('e')),
      ),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b', ...MARK },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'c' },
          { type: 'text', text: 'd' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'e' }] },
    ]);
  });

  test('begin with the user', () => {
    expect(messagesOf(assistant(text('a')), user(text('b')))).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }]);
  });

  test('end cleanly where the assistant is to go on', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const reasoning: RequestPart = { type: 'reasoning', text: 'Hm.', opaque: thinking };
    expect(messagesOf(user(text('a')), assistant(text('half a sen \n'), reasoning))).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'half a sen' }] },
    ]);
    expect(messagesOf(user(text('a')), assistant(reasoning))).toEqual([{ role: 'user', content: [{ type: 'text', text: 'a' }] }]);
  });

  test('never end in thinking, whose outcome was stopped or is left out', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const reasoning: RequestPart = { type: 'reasoning', text: 'Hm.', opaque: thinking };
    const use = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'x' } };
    const search: RequestPart = { type: 'hosted', id: 'srv_1', name: 'web_search', opaque: [use] };
    expect(messagesOf(user(text('a')), assistant(reasoning, text('b'), reasoning, search), user(text('c')))).toMatchObject([
      {},
      { content: [thinking, { type: 'text', text: 'b' }] },
      {},
    ]);
    const alone = messagesOf(user(text('a')), assistant(reasoning, search), user(text('c')));
    expect(alone).toMatchObject([{ role: 'user', content: [{ text: 'a' }, { text: 'c' }] }]);
  });

  test('carry pictures and documents', () => {
    const picture: RequestPart = { type: 'image', mimeType: 'image/jpg', base64: 'QQ==' };
    const pdf: RequestPart = { type: 'file', kind: 'document', mimeType: 'application/pdf', name: 'a.pdf', base64: 'Qg==' };
    const sound: RequestPart = { type: 'file', kind: 'audio', mimeType: 'audio/wav', name: 'a.wav', base64: 'Qw==' };
    expect(messagesOf(user(text('a'), picture, pdf, sound))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'QQ==' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'Qg==' }, title: 'a.pdf' },
          { type: 'text', text: expect.stringContaining('a.wav') },
        ],
      },
    ]);
  });

  test('show a picture of an answer in the user turn after it', () => {
    const picture: RequestPart = { type: 'image', mimeType: 'image/png', base64: 'QQ==' };
    expect(messagesOf(user(text('a')), assistant(text('b'), picture), user(text('c')))).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
      { role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'c' }] },
    ]);
  });

  test('have results before pictures that the answer showed earlier', () => {
    const picture: RequestPart = { type: 'image', mimeType: 'image/png', base64: 'QQ==' };
    expect(messagesOf(user(text('a')), assistant(picture, call('c1', 'toolu_1')))).toMatchObject([
      {},
      { content: [{ type: 'tool_use' }] },
      { role: 'user', content: [{ type: 'tool_result' }, { type: 'image' }] },
    ]);
  });

  test('have results first, and a new turn for each step of an answer', () => {
    const shown = { ...call('c2', 'toolu_2'), result: { text: '', isError: true, images: [{ mimeType: 'image/png', base64: 'QQ==' }] } };
    expect(
      messagesOf(
        user(text('a')),
        assistant(text('b'), call('c1', 'toolu_1'), shown, text('c'), call('c3', 'toolu_3', '')),
        user(text('d')),
      ),
    ).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'b' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: 1 } },
          { type: 'tool_use', id: 'toolu_2', name: 'look', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'result of c1' }] },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } }],
            is_error: true,
            ...MARK,
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'c' },
          { type: 'tool_use', id: 'toolu_3', name: 'look', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_3', content: [{ type: 'text', text: 'result of c3' }] },
          { type: 'text', text: 'd' },
        ],
      },
    ]);
  });

  test('show broken arguments as they were written, and give ids that are doubled or malformed new ones', () => {
    const content = JSON.stringify(
      messagesOf(user(text('a')), assistant(call('c1', 'same', '{"a":'), call('c2', 'same'), call('c3', 'a:b'))),
    );
    expect(content).toContain(JSON.stringify({ unreadable: '{"a":' }));
    const ids = [...content.matchAll(/"id":"([^"]*)"/g)].map((match) => match[1]);
    const results = [...content.matchAll(/"tool_use_id":"([^"]*)"/g)].map((match) => match[1]);
    expect(ids[0]).toBe('same');
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => /^[a-zA-Z0-9_-]+$/.test(id ?? ''))).toBe(true);
    expect(results).toEqual(ids);
  });

  test('leave out thinking without its signature', () => {
    expect(messagesOf(user(text('a')), assistant({ type: 'reasoning', text: 'Hm.' }, text('b')), user(text('c')))).toMatchObject([
      {},
      { content: [{ type: 'text', text: 'b' }] },
      {},
    ]);
  });

  test('send cited text back in its blocks, blank ones joined, unless the text is another by now', () => {
    const cited = { type: 'text', text: 'Four.', citations: [{ type: 'web_search_result_location', encrypted_index: 'x' }] };
    const opaque = [{ type: 'text', text: 'Two. ' }, cited, { type: 'text', text: '\n\n' }, { type: 'text', text: 'Six.' }];
    const send = (words: string): unknown => messagesOf(user(text('a')), assistant({ type: 'text', text: words, opaque }), user(text('c')));
    expect(send('Two. Four.\n\nSix.')).toMatchObject([
      {},
      {
        content: [
          { type: 'text', text: 'Two. ' },
          { ...cited, text: 'Four.\n\n' },
          { type: 'text', text: 'Six.' },
        ],
      },
      {},
    ]);
    expect(send('Edited.')).toMatchObject([{}, { content: [{ type: 'text', text: 'Edited.' }] }, {}]);
  });

  test("send the server's work back as it came, unfinished work only where the server is to go on", () => {
    const use = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'x' } };
    const found = { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] };
    const hosted = (...opaque: readonly JsonObject[]): RequestPart => ({ type: 'hosted', id: 'srv_1', name: 'web_search', opaque });
    expect(messagesOf(user(text('a')), assistant(hosted(use, found), text('b')), user(text('c')))).toMatchObject([
      {},
      { content: [use, found, { type: 'text', text: 'b' }] },
      {},
    ]);
    expect(messagesOf(user(text('a')), assistant(hosted(use)))).toMatchObject([{}, { role: 'assistant', content: [use] }]);
    expect(messagesOf(user(text('a')), assistant(hosted(use), text('b')), user(text('c')))).toMatchObject([
      {},
      { content: [{ type: 'text', text: 'b' }] },
      {},
    ]);
  });
});

function levelOf(name: string): ReasoningLevel {
  switch (name) {
    case 'off':
    case 'minimal':
    case 'low':
    case 'medium':
    case 'high':
    case 'xhigh':
    case 'max':
      return name;
    default:
      return 'auto';
  }
}
