import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../../src/core/stream';
import { createChunkDecoder, readUsage } from '../../src/providers/shared/openai-chunks';

function decode(chunks: readonly unknown[], isDone = true): readonly StreamEvent[] {
  let ids = 0;
  const decoder = createChunkDecoder(() => `id-${++ids}`);
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end(isDone)];
}

const delta = (fields: Record<string, unknown>, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const call = (fields: Record<string, unknown>) => delta({ tool_calls: [fields] });

/** Calls as name, wire id and joined arguments. */
function calls(chunks: readonly unknown[]): readonly unknown[] {
  const found = new Map<string, { name: string; wireId: string; text: string }>();
  for (const event of decode(chunks)) {
    if (event.type === 'tool-call-start') found.set(event.callId, { name: event.name, wireId: event.wireId, text: '' });
    if (event.type === 'tool-call-delta') {
      const entry = found.get(event.callId);
      if (entry === undefined) throw new Error('arguments before the call');
      entry.text += event.argumentsText;
    }
  }
  return [...found.values()].map(({ name, wireId, text }) => [name, wireId, text]);
}

const named = (name: string, text?: string | null) => ({ function: { name, arguments: text } });
const more = (text: string) => ({ function: { arguments: text } });

describe('calls', () => {
  test.each([
    [
      'a new id on the same index',
      [call({ index: 0, id: 'a', ...named('x', '{}') }), call({ index: 0, id: 'b', ...named('x', '[]') })],
      [
        ['x', 'a', '{}'],
        ['x', 'b', '[]'],
      ],
    ],
    [
      'another name on the same index without ids',
      [call({ index: 0, ...named('x', '{}') }), call({ index: 0, ...named('y', '[]') })],
      [
        ['x', '', '{}'],
        ['y', '', '[]'],
      ],
    ],
    [
      'no index: an id opens, none goes on',
      [call({ id: 'a', ...named('x', '{') }), call(more('}')), call({ id: 'b', ...named('y') })],
      [
        ['x', 'a', '{}'],
        ['y', 'b', ''],
      ],
    ],
    [
      'no index and no id: a name opens',
      [call(named('x', '{}')), call(named('x', '[]'))],
      [
        ['x', '', '{}'],
        ['x', '', '[]'],
      ],
    ],
    [
      'no index: a known id goes on',
      [call({ id: 'a', ...named('x', '{') }), call({ id: 'b', ...named('y', '[') }), call({ id: 'a', ...more('}') })],
      [
        ['x', 'a', '{}'],
        ['y', 'b', '['],
      ],
    ],
    [
      'id and name in every delta',
      [call({ index: 0, id: 'a', ...named('search', '{') }), call({ index: 0, id: 'a', ...named('search', '}') })],
      [['search', 'a', '{}']],
    ],
    [
      'interleaved indexes',
      [
        call({ index: 0, id: 'a', ...named('x') }),
        call({ index: 1, id: 'b', ...named('y') }),
        call({ index: 0, ...more('1') }),
        call({ index: 1, ...more('2') }),
      ],
      [
        ['x', 'a', '1'],
        ['y', 'b', '2'],
      ],
    ],
    [
      'several entries in one delta',
      [
        delta({
          tool_calls: [
            { index: 0, id: 'a', ...named('x', '1') },
            { index: 1, id: 'b', ...named('y', '2') },
          ],
        }),
      ],
      [
        ['x', 'a', '1'],
        ['y', 'b', '2'],
      ],
    ],
    [
      'the same index twice in one delta',
      [
        delta({
          tool_calls: [
            { index: 0, id: 'a', ...named('x', '1') },
            { index: 0, ...more('2') },
          ],
        }),
      ],
      [['x', 'a', '12']],
    ],
    ['a first index of 1', [call({ index: 1, id: 'a', ...named('x', '{}') })], [['x', 'a', '{}']]],
    [
      'empty and null ids later',
      [
        call({ index: 0, id: 'a', ...named('x', '{') }),
        call({ index: 0, id: '', ...more('}') }),
        call({ index: 0, id: null, ...more(' ') }),
      ],
      [['x', 'a', '{} ']],
    ],
    ['arguments null', [call({ index: 0, id: 'a', ...named('x', null) })], [['x', 'a', '']]],
    ['arguments as an object', [call({ index: 0, id: 'a', function: { name: 'x', arguments: { b: 1 } } })], [['x', 'a', '{"b":1}']]],
    ['arguments before the name', [call({ index: 0, id: 'a', ...more('{') }), call({ index: 0, ...named('x', '}') })], [['x', 'a', '{}']]],
    ['control tokens at the name', [call({ index: 0, id: 'a', ...named('search<|channel|>json', '{}') })], [['search', 'a', '{}']]],
    [
      'the old field',
      [delta({ function_call: { name: 'x', arguments: '{' } }), delta({ function_call: { arguments: '}' } })],
      [['x', '', '{}']],
    ],
    ['a call without a name', [call({ index: 0, id: 'a', ...more('{}') })], [['', 'a', '{}']]],
    ['noise', [call({}), delta({ tool_calls: null }), delta({ tool_calls: ['x'] })], []],
  ])('%s', (_name, chunks, expected) => {
    expect(calls([...chunks, delta({ content: '.' }, 'stop')])).toEqual(expected);
  });

  test('decide the reason, but not over the limit', () => {
    const open = call({ index: 0, id: 'a', ...named('x', '{') });
    expect(decode([open, delta({}, 'stop')]).at(-1)).toEqual({ type: 'finish', reason: 'tool_calls', rawReason: 'stop' });
    expect(decode([open]).at(-1)).toEqual({ type: 'finish', reason: 'tool_calls', rawReason: null });
    expect(decode([open, delta({}, 'length')]).at(-1)).toMatchObject({ reason: 'length' });
  });
});

describe('output', () => {
  test.each([
    ['null and missing content', [delta({ content: null }), delta({ role: 'assistant' }), delta({ content: 'a' })], 'a', ''],
    [
      'another choice',
      [
        {
          choices: [
            { index: 1, delta: { content: 'no' } },
            { index: 0, delta: { content: 'yes' } },
          ],
        },
      ],
      'yes',
      '',
    ],
    [
      'a message beside deltas',
      [
        { choices: [{ index: 0, delta: { content: 'a' }, message: { content: 'a' } }] },
        { choices: [{ index: 0, message: { content: 'ab' } }] },
      ],
      'a',
      '',
    ],
    [
      'reasoning under either name, once',
      [delta({ reasoning_content: 'r', reasoning: 'r' }), delta({ reasoning: 's' }), delta({ content: 'a' })],
      'a',
      'rs',
    ],
    [
      'details that repeat the reasoning',
      [delta({ reasoning: 'r', reasoning_details: [{ text: 'r' }] }), delta({ reasoning_details: [{ text: 'r' }], content: 'a' })],
      'a',
      'r',
    ],
    ['details alone', [delta({ reasoning_details: [{ summary: 'r' }, { data: 'opaque' }] }), delta({ content: 'a' })], 'a', 'r'],
    [
      'typed parts',
      [delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'r' }] }, { type: 'text', text: 'a' }, { type: 'new' }] })],
      'a',
      'r',
    ],
    ['unknown chunks', ['x', null, 7, { choices: null }, { choices: ['x'] }, delta({ content: 'a' })], 'a', ''],
  ])('%s', (_name, chunks, text, reasoning) => {
    const events = decode(chunks);
    const join = (type: string) => events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
    expect([join('text-delta'), join('reasoning-delta')]).toEqual([text, reasoning]);
  });

  test.each([
    ['end_turn', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['content_filter', 'content_filter'],
    ['brand_new', 'other'],
  ])('the reason %s is %s', (raw, reason) => {
    expect(decode([delta({ content: 'a' }, raw)], false).at(-1)).toEqual({ type: 'finish', reason, rawReason: raw });
  });

  test('one sign of the end is enough, none is a cut', () => {
    expect(decode([delta({ content: 'a' })], true).at(-1)).toMatchObject({ type: 'finish', reason: 'stop', rawReason: null });
    expect(decode([delta({ content: 'a' }, 'stop')], false).at(-1)).toMatchObject({ type: 'finish' });
    expect(() => decode([delta({ content: 'a' })], false)).toThrowError(expect.objectContaining({ code: 'stream-cut' }));
  });

  test('nothing at all is an empty answer, unless the limit or a filter explains it', () => {
    expect(() => decode([delta({ content: '' }, 'stop')])).toThrowError(expect.objectContaining({ code: 'answer-empty' }));
    expect(decode([delta({}, 'length')]).at(-1)).toMatchObject({ reason: 'length' });
    expect(decode([delta({}, 'content_filter')]).at(-1)).toMatchObject({ reason: 'content_filter' });
    expect(decode([delta({ refusal: 'No.' }, 'stop')])[0]).toEqual({ type: 'refusal-delta', text: 'No.' });
  });

  test('an end in an error without words is an error', () => {
    expect(() => decode([delta({ content: 'a' }, 'error')])).toThrowError(expect.objectContaining({ code: 'provider-error' }));
  });
});

describe('usage', () => {
  test('the last count wins, wherever it stands', () => {
    const usage = (tokens: number) => ({ prompt_tokens: 5, completion_tokens: tokens });
    const chunks = [
      { choices: [], usage: usage(1) },
      { choices: [], x_groq: { usage: usage(2) } },
      { choices: [{ delta: { content: 'a' }, usage: usage(3) }] },
    ];
    const counts = decode(chunks).flatMap((event) => (event.type === 'usage' ? [event.usage.outputTokens] : []));
    expect(counts).toEqual([1, 2, 3]);
  });

  test.each([
    [
      'inside',
      { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30, completion_tokens_details: { reasoning_tokens: 15 } },
      { inputTokens: 10, outputTokens: 20, reasoningTokens: 15 },
    ],
    [
      'beside',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 30, completion_tokens_details: { reasoning_tokens: 15 } },
      { inputTokens: 10, outputTokens: 20, reasoningTokens: 15 },
    ],
    ['no details', { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: null }, { inputTokens: 10, outputTokens: 5 }],
    [
      'cache under another name',
      { prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 8 },
      { inputTokens: 10, outputTokens: 5, cachedTokens: 8 },
    ],
    ['nothing usable', { cost: 1 }, undefined],
  ])('reasoning or cache %s', (_name, wire, expected) => {
    expect(readUsage(wire)).toEqual(expected);
  });
});
