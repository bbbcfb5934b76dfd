import { describe, expect, test } from 'vitest';
import { wireFaultsIn } from './wire-faults';
import type { Protocol, WireRequest } from './wire-turns';

type Item = Readonly<Record<string, unknown>>;

const PATHS: Readonly<Record<Protocol, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  'google-generative': '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
};
const LISTS: Readonly<Record<Protocol, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  'anthropic-messages': 'messages',
  'google-generative': 'contents',
};

const PNG = 'iVBORw0KGgo=';

/** A question, an answer with a call of a tool, its result, and the next question. */
const WHOLE: Readonly<Record<Protocol, { readonly fields: Item; readonly turns: readonly Item[] }>> = {
  'openai-chat': {
    fields: { model: 'gpt-4o', tools: [{ type: 'function', function: { name: 'find' } }] },
    turns: [
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '' },
      { role: 'assistant', content: 'Found.', reasoning_details: [{ signature: 'own' }] },
      { role: 'user', content: 'Thanks' },
    ],
  },
  'openai-responses': {
    fields: { model: 'gpt-5.1', instructions: 'Be kind.', tools: [{ type: 'function', name: 'find' }] },
    turns: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look' }] },
      { type: 'reasoning', summary: [], encrypted_content: 'own' },
      { type: 'function_call', call_id: 'call_1', name: 'find', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'it' },
      { type: 'reasoning', summary: [], encrypted_content: 'own' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Thanks' }] },
    ],
  },
  'anthropic-messages': {
    fields: { model: 'claude-sonnet-4-5', max_tokens: 1, system: [{ type: 'text', text: 'Be kind.' }], tools: [{ name: 'find' }] },
    turns: [
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'own' },
          { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'it' }] },
          { type: 'text', text: 'Thanks', cache_control: { type: 'ephemeral' } },
        ],
      },
    ],
  },
  'google-generative': {
    fields: { systemInstruction: { parts: [{ text: 'Be kind.' }] }, tools: [{ functionDeclarations: [{ name: 'find' }] }] },
    turns: [
      { role: 'user', parts: [{ text: 'Look' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'find', args: {} }, thoughtSignature: 'own' }, { functionCall: { name: 'find', args: {} } }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'find' } }, { functionResponse: { name: 'find' } }] },
      { role: 'model', parts: [{ text: 'Found.' }, { text: '', thoughtSignature: 'own' }] },
      { role: 'user', parts: [{ text: 'Thanks' }] },
    ],
  },
};

const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'google-generative'] as const;

function request(protocol: Protocol, turns: readonly Item[], fields: Item = {}): WireRequest {
  return { path: PATHS[protocol], body: { ...WHOLE[protocol].fields, ...fields, [LISTS[protocol]]: turns } };
}

/** A message in the protocol's words. */
function message(protocol: Protocol, role: 'user' | 'assistant', ...texts: readonly string[]): Item {
  switch (protocol) {
    case 'openai-chat':
    case 'anthropic-messages':
      return { role, content: texts.map((text) => ({ type: 'text', text })) };
    case 'openai-responses':
      return { type: 'message', role, content: texts.map((text) => ({ type: role === 'user' ? 'input_text' : 'output_text', text })) };
    case 'google-generative':
      return { role: role === 'user' ? 'user' : 'model', parts: texts.map((text) => ({ text })) };
  }
}

const ASKED = (protocol: Protocol): Item => message(protocol, 'user', 'Look');
const found = (protocol: Protocol, turns: readonly Item[], fields?: Item): readonly string[] =>
  wireFaultsIn(request(protocol, turns, fields));

describe.each(PROTOCOLS)('%s', (protocol) => {
  const { turns } = WHOLE[protocol];
  const isResult = (item: Item): boolean =>
    item['role'] === 'tool' || item['type'] === 'function_call_output' || /tool_result|functionResponse/.test(JSON.stringify(item));
  const isCall = (item: Item): boolean => /tool_calls|tool_use"|functionCall|function_call"/.test(JSON.stringify(item));

  test('a whole conversation is taken', () => {
    expect(found(protocol, turns)).toEqual([]);
  });

  test('a call without its result, and a result without its call', () => {
    expect(found(protocol, [...turns.filter((item) => !isResult(item)), ASKED(protocol)])).toContainEqual(
      expect.stringMatching(/^call .* without a result$/),
    );
    expect(
      found(
        protocol,
        turns.filter((item) => !isCall(item)),
      ),
    ).toContainEqual(expect.stringMatching(/^result .* without a call$/));
  });

  test('calls where no tools are offered', () => {
    expect(found(protocol, turns, { tools: [] })).toContain('calls, but no tools');
  });

  test('two turns of the user in a row, an assistant that begins or ends', () => {
    const [user, assistant] = [ASKED(protocol), message(protocol, 'assistant', 'Yes')];
    expect(found(protocol, [user, user])).toEqual(['two turns in a row: user']);
    expect(found(protocol, [assistant, user])).toEqual(['assistant speaks first']);
    expect(found(protocol, [user, assistant])).toEqual(['the assistant speaks last']);
  });

  test('blank texts and turns without anything', () => {
    const [user, after] = [ASKED(protocol), ASKED(protocol)];
    expect(found(protocol, [user, message(protocol, 'assistant', 'Yes', ' \n'), after])).toEqual(['blank text']);
    expect(found(protocol, [user, message(protocol, 'assistant'), after])).toEqual(['a turn without content: assistant']);
  });

  test('a system that speaks in between', () => {
    expect(found(protocol, [ASKED(protocol), { ...message(protocol, 'assistant', 'Yes'), role: 'system' }, ASKED(protocol)])).toEqual([
      'no role here: system',
    ]);
  });

  test('what is another protocol’s, as a block or as a field', () => {
    const [user, after] = [ASKED(protocol), ASKED(protocol)];
    const foreign = { type: 'redacted', signature: 'x', thoughtSignature: 'x', encrypted_content: 'x', reasoning_details: [] };
    const list = protocol === 'google-generative' ? 'parts' : 'content';
    const faults = found(protocol, [user, { ...message(protocol, 'assistant'), [list]: [foreign] }, after]);
    expect(faults.filter((fault) => fault.includes('of another protocol')).length).toBeGreaterThanOrEqual(2);
    expect(faults).toContainEqual(expect.stringMatching(/^not of this protocol/));
  });

  test('a field that is null, and a tool’s name that is none', () => {
    const user = ASKED(protocol);
    expect(found(protocol, [user], { top: { inner: null } })).toEqual(['inner is null']);
    const tools = protocol === 'google-generative' ? [{ functionDeclarations: [{ name: 'a.b' }] }] : [{ name: 'a.b' }];
    expect(found(protocol, [user], { tools })).toEqual(['tool name a.b']);
  });
});

describe('calls', () => {
  const called = (id: string, input: unknown = {}): Item => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'find', input }],
  });
  const answered = (...ids: readonly string[]): Item => ({
    role: 'user',
    content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id })),
  });
  const asked = message('anthropic-messages', 'user', 'Look');

  test.each([
    ['call_1.2', 'anthropic-messages', [asked, called('call_1.2'), answered('call_1.2')]],
    ['x'.repeat(65), 'anthropic-messages', [asked, called('x'.repeat(65)), answered('x'.repeat(65))]],
    [
      'y'.repeat(41),
      'openai-chat',
      [
        ASKED('openai-chat'),
        { role: 'assistant', content: '', tool_calls: [{ id: 'y'.repeat(41), function: { name: 'find', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'y'.repeat(41), content: 'it' },
      ],
    ],
  ] as const)('have ids that the host takes, unlike %s', (id, protocol, turns) => {
    expect(found(protocol, turns)).toEqual([`call id ${id}`]);
  });

  test('have ids of their own, one result each, and results first', () => {
    const faults = found('anthropic-messages', [asked, called('a'), answered('a', 'a'), called('a'), answered('a')]);
    expect(faults).toEqual(['call id a twice', 'two results of a']);
    const late = {
      role: 'user',
      content: [
        { type: 'text', text: 'So' },
        { type: 'tool_result', tool_use_id: 'a' },
      ],
    };
    expect(found('anthropic-messages', [asked, called('a'), late])).toEqual(['result a behind something else']);
  });

  test('have arguments that are an object', () => {
    expect(found('anthropic-messages', [asked, called('a', '{"half'), answered('a')])).toEqual(['arguments of a are no object']);
    const half = { role: 'assistant', content: '', tool_calls: [{ id: 'a', function: { name: 'find', arguments: '{"half' } }] };
    expect(found('openai-chat', [ASKED('openai-chat'), half, { role: 'tool', tool_call_id: 'a', content: 'it' }])).toEqual([
      'arguments of a are no object',
    ]);
  });

  test('have results without blank blocks', () => {
    const blank = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '' }] }] };
    expect(found('anthropic-messages', [asked, called('a'), blank])).toEqual(['blank text in a result']);
  });

  test('of the server go with their results', () => {
    const use = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const result = { type: 'web_search_tool_result', tool_use_id: 's', content: [] };
    const turnsWith = (...content: readonly Item[]): readonly Item[] => [asked, { role: 'assistant', content }, asked];
    expect(found('anthropic-messages', turnsWith(use, result))).toEqual([]);
    expect(found('anthropic-messages', turnsWith(use))).toEqual(['hosted call s without a result']);
    expect(found('anthropic-messages', turnsWith(result))).toEqual(['hosted result s without a call']);
  });
});

describe('thoughts', () => {
  const between = (protocol: Protocol, ...items: readonly Item[]): readonly Item[] => [ASKED(protocol), ...items, ASKED(protocol)];
  const said = (...content: readonly Item[]): readonly Item[] => between('anthropic-messages', { role: 'assistant', content });
  const words = { type: 'text', text: 'Yes' };

  test('are signed, lead to something, and stand in a turn that says something', () => {
    expect(found('anthropic-messages', said({ type: 'thinking', thinking: 'Hm', signature: '' }, words))).toEqual([
      'a thought that nobody signed',
    ]);
    const sealed = { type: 'redacted_thinking', data: 'x' };
    expect(found('anthropic-messages', said(words, sealed))).toEqual(['a thought that leads to nothing']);
    expect(found('anthropic-messages', said(sealed))).toContain('a turn without content: assistant');
  });

  test('of Responses are sealed and stand before what they led to', () => {
    const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
    const answer = message('openai-responses', 'assistant', 'Yes');
    expect(found('openai-responses', between('openai-responses', { type: 'reasoning', id: 'rs_1', summary: [] }, answer))).toEqual([
      'a thought that nobody signed',
    ]);
    expect(found('openai-responses', between('openai-responses', answer, thought))).toEqual(['a thought that leads to nothing']);
    const include = ['reasoning.encrypted_content'];
    expect(found('openai-responses', between('openai-responses', answer), { include, model: 'gpt-4o' })).toHaveLength(1);
  });

  test('of Gemini 3 are signed at the first call and at a picture', () => {
    const model = (...parts: readonly Item[]): readonly Item[] => between('google-generative', { role: 'model', parts });
    expect(found('google-generative', model({ inlineData: { mimeType: 'image/png', data: PNG } }))).toEqual([
      'media without its signature',
    ]);
    expect(found('google-generative', model({ functionCall: { name: 'find' } }))).toContain('call without its signature');
    expect(found('google-generative', model({ text: 'Hm', thought: true }, { text: 'Yes' }))).toEqual(['a thought that nobody signed']);
  });
});

test('media are what they are called, and pictures go to models that see', () => {
  const picture = (mimeType: string, url = `data:${mimeType};base64,${PNG}`): Item => ({
    role: 'user',
    content: [{ type: 'image_url', image_url: { url } }],
  });
  expect(found('openai-chat', [picture('image/png')])).toEqual([]);
  expect(found('openai-chat', [picture('image/jpeg')])).toEqual(['bytes that are no image/jpeg']);
  expect(found('openai-chat', [picture('image/jpg')])).toEqual(['bytes that are no image/jpg']);
  expect(wireFaultsIn(request('openai-chat', [picture('image/png')]), { sees: false })).toEqual(['a picture for a model that sees none']);
});

test('cache marks are four at most, and none on a thought', () => {
  const cache = { cache_control: { type: 'ephemeral' } };
  const block = (text: string): Item => ({ type: 'text', text, ...cache });
  expect(found('anthropic-messages', [{ role: 'user', content: ['1', '2', '3', '4', '5'].map(block) }])).toEqual(['5 cache marks']);
  const thought = { type: 'thinking', thinking: 'Hm', signature: 'x', ...cache };
  const answer = { role: 'assistant', content: [thought, { type: 'text', text: 'Yes' }] };
  expect(found('anthropic-messages', [ASKED('anthropic-messages'), answer, ASKED('anthropic-messages')])).toEqual([
    'cache mark on thinking',
  ]);
});

test.each([
  ['o3-mini', { max_tokens: 1 }],
  ['gpt-5', { temperature: 1 }],
  ['gpt-5-mini', { top_p: 1 }],
  ['gpt-4o', { max_tokens: 1, max_completion_tokens: 1 }],
] as const)('parameters that %s refuses: %o', (model, fields) => {
  expect(found('openai-chat', [ASKED('openai-chat')], { ...fields, model })).toHaveLength(1);
});

test.each([
  ['gpt-5.1', { max_completion_tokens: 1, temperature: 1 }],
  ['gpt-5-chat-latest', { temperature: 1 }],
  ['gpt-4o', { max_tokens: 1, temperature: 1 }],
] as const)('parameters that %s takes: %o', (model, fields) => {
  expect(found('openai-chat', [ASKED('openai-chat')], { ...fields, model })).toEqual([]);
});

test('system text is blank nowhere, and not sent to models that have none', () => {
  const [system, user] = [{ role: 'system', content: ' ' }, ASKED('openai-chat')];
  expect(found('openai-chat', [system, user])).toEqual(['blank system text']);
  expect(found('openai-chat', [{ ...system, content: 'Be kind.' }, user], { model: 'o1-mini' })).toHaveLength(1);
});
