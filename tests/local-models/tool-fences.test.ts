import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/errors';
import { FenceReader, withFences } from '../../src/local-models/tool-fences';

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
const WEATHER: JsonObject = { type: 'function', function: { name: 'get_weather', description: 'The weather', parameters: PARAMETERS } };
const CALL = '<tool_call>\n{"name":"get_weather","arguments":{"city":"Paris"}}\n</tool_call>';

describe('a body for an engine without tools', () => {
  test('describes them behind what the system message says, and holds a call to its shape', () => {
    const body = withFences({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
      ],
      tools: [WEATHER],
      tool_choice: 'auto',
      temperature: 0.5,
    });
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('tool_choice');
    expect(body).toMatchObject({ temperature: 0.5, messages: [{ role: 'system' }, { role: 'user', content: 'Weather?' }] });
    expect(JSON.stringify(body['messages'])).toMatch(/Be brief\.\\n\\nYou can call tools.*get_weather/);
    expect(body['response_format']).toEqual({
      type: 'structural_tag',
      structural_tag: {
        type: 'structural_tag',
        format: {
          type: 'triggered_tags',
          triggers: ['<tool_call>'],
          at_least_one: false,
          stop_after_first: false,
          tags: [
            {
              begin: '<tool_call>',
              end: '</tool_call>',
              content: {
                type: 'json_schema',
                json_schema: {
                  type: 'object',
                  properties: { name: { const: 'get_weather' }, arguments: PARAMETERS },
                  required: ['name', 'arguments'],
                  additionalProperties: false,
                },
              },
            },
          ],
        },
      },
    });
  });

  test('tells earlier calls and results as text, never null, results in one message of the user’s', () => {
    const call = (id: string): JsonObject => ({ id, type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } });
    const { messages } = withFences({
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'sunny' },
        { role: 'tool', tool_call_id: 'b', content: 'rain' },
        { role: 'assistant', content: [{ type: 'text', text: 'Sun, then rain.' }] },
      ],
    });
    expect(messages).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: `${CALL}\n${CALL}` },
      { role: 'user', content: '<tool_response>\nsunny\n</tool_response>\n<tool_response>\nrain\n</tool_response>' },
      { role: 'assistant', content: 'Sun, then rain.' },
    ]);
  });

  test('gives a schema for the whole answer as a text', () => {
    const schema = { type: 'object' } as const;
    const format = (response_format: JsonObject) => withFences({ messages: [], response_format })['response_format'];
    expect(format({ type: 'json_schema', json_schema: { name: 'a', schema } })).toEqual({
      type: 'json_object',
      schema: '{"type":"object"}',
    });
    expect(format({ type: 'json_object' })).toEqual({ type: 'json_object', schema: '{}' });
    expect(format({ type: 'text' })).toBeUndefined();
  });
});

/** Reads a text in pieces of so many characters. */
function read(text: string, size: number): { readonly content: string; readonly calls: unknown[]; readonly hasCalls: boolean } {
  const reader = new FenceReader();
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
  const deltas = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  return {
    content: deltas.map(({ content }) => (typeof content === 'string' ? content : '')).join(''),
    calls: deltas.flatMap((delta) => (Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : [])),
    hasCalls: reader.hasCalls,
  };
}

describe.each([1, 2, 3, 7, 1000])('a text in pieces of %i', (size) => {
  test('is shown without its calls', () => {
    expect(read(`Let me see. ${CALL}${CALL} <b>done</b>`, size)).toEqual({
      content: 'Let me see.  <b>done</b>',
      calls: [0, 1].map((index) => ({ index, function: { name: 'get_weather', arguments: '{"city":"Paris"}' } })),
      hasCalls: true,
    });
  });

  test.each([
    'a < b and <tool',
    'no call: <tool_call>not json</tool_call>',
    '<tool_call>{"arguments": {}}</tool_call>',
    '<tool_call>{"name": "get_weather"',
  ])('%s is text', (text) => {
    expect(read(text, size)).toEqual({ content: text, calls: [], hasCalls: false });
  });
});
