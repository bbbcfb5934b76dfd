import { describe, expect, test } from 'vitest';
import type { Part } from '../../src/core/node';
import { reduce, type StreamEvent } from '../../src/core/stream';

const ORIGIN = { provider: 'p', modelId: 'm' };

function after(...events: readonly StreamEvent[]): readonly Part[] {
  return events.reduce<readonly Part[]>((parts, event, at) => reduce(parts, event, { step: 0, at, origin: ORIGIN }), []);
}

describe('events become parts', () => {
  test('deltas of one kind join', () => {
    expect(after({ type: 'text-delta', text: 'Hel' }, { type: 'text-delta', text: 'lo' })).toEqual([
      { type: 'text', step: 0, text: 'Hello' },
    ]);
  });

  test('the first word of an answer ends the reasoning before it', () => {
    expect(after({ type: 'reasoning-delta', text: 'hm' }, { type: 'text-delta', text: 'Yes' })).toEqual([
      { type: 'reasoning', step: 0, text: 'hm', startedAt: 0, endedAt: 1 },
      { type: 'text', step: 0, text: 'Yes' },
    ]);
  });

  test('reasoning that comes back after text is a part of its own', () => {
    const parts = after({ type: 'reasoning-delta', text: 'a' }, { type: 'text-delta', text: 'b' }, { type: 'reasoning-delta', text: 'c' });
    expect(parts.map((part) => part.type)).toEqual(['reasoning', 'text', 'reasoning']);
  });

  test('the end closes what is still open', () => {
    const parts = after({ type: 'reasoning-delta', text: 'hm' }, { type: 'finish', reason: 'length', rawReason: 'length' });
    expect(parts).toEqual([{ type: 'reasoning', step: 0, text: 'hm', startedAt: 0, endedAt: 1 }]);
  });

  test('arguments go to the call that they belong to', () => {
    const call = (callId: string): StreamEvent => ({ type: 'tool-call-start', callId, wireId: `w-${callId}`, name: 'find' });
    const parts = after(
      call('1'),
      call('2'),
      { type: 'tool-call-delta', callId: '1', argumentsText: '{"a"' },
      { type: 'tool-call-delta', callId: '1', argumentsText: ':1}' },
    );
    expect(parts.map((part) => (part.type === 'tool' ? part.argumentsText : ''))).toEqual(['{"a":1}', '']);
  });
});

describe('what a provider wants back', () => {
  test('is kept on the part that it came with, with its maker', () => {
    const parts = after(
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'reasoning-opaque', data: { signature: 'sig' } },
      { type: 'text-delta', text: 'Yes' },
      { type: 'text-opaque', data: 'after' },
    );
    expect(parts[0]).toMatchObject({ type: 'reasoning', opaque: { provider: 'p', modelId: 'm', data: { signature: 'sig' } } });
    expect(parts[1]).toMatchObject({ type: 'text', text: 'Yes', opaque: { data: 'after' } });
  });

  test('begins a part of its own where there is none, or the last one is complete', () => {
    expect(after({ type: 'reasoning-opaque', data: 1 })).toMatchObject([{ type: 'reasoning', text: '', opaque: { data: 1 } }]);
    const parts = after({ type: 'reasoning-delta', text: 'a' }, { type: 'part-end' }, { type: 'reasoning-opaque', data: 2 });
    expect(parts).toMatchObject([{ text: 'a' }, { text: '', opaque: { data: 2 } }]);
    expect(parts[0]).not.toHaveProperty('opaque');
  });

  test('goes to the call that it belongs to', () => {
    const call: StreamEvent = { type: 'tool-call-start', callId: '1', wireId: 'w', name: 'find' };
    expect(after(call, { type: 'tool-call-opaque', callId: '1', data: 's' })).toMatchObject([{ callId: '1', opaque: { data: 's' } }]);
  });
});

describe('sources', () => {
  const source = (url: string, citedText?: string): StreamEvent => ({
    type: 'citation',
    url,
    title: url,
    ...(citedText === undefined ? {} : { citedText }),
  });

  test('don’t break the sentence in which they are named, and know their place in it', () => {
    const parts = after({ type: 'text-delta', text: 'One' }, source('https://a'), { type: 'text-delta', text: ' two.' });
    expect(parts).toMatchObject([
      { type: 'text', text: 'One two.' },
      { type: 'citation', url: 'https://a', textOffset: 3 },
    ]);
  });

  test('are named once', () => {
    expect(after(source('https://a'), source('https://a'), source('https://a', 'words'))).toHaveLength(2);
  });
});

test('what the provider’s server does moves forward only, and its lists are joined', () => {
  const step = (status: 'running' | 'done', queries: string[], url: string): StreamEvent => ({
    type: 'hosted',
    id: 'h',
    name: status === 'running' ? 'web_search' : '',
    status,
    queries,
    sources: [{ url, title: url }],
  });
  const parts = after(
    step('running', ['a'], 'https://x'),
    step('done', ['a', 'b'], 'javascript:alert(1)'),
    step('running', [], 'https://x'),
  );
  expect(parts).toMatchObject([
    { type: 'hosted', name: 'web_search', status: 'done', queries: ['a', 'b'], sources: [{ url: 'https://x', title: 'https://x' }] },
  ]);
});

describe('a search told in the middle of a text', () => {
  const aside = (id: string): StreamEvent => ({ type: 'hosted', id, name: 'web_search', status: 'done', queries: [id], isAside: true });
  const words = (text: string): StreamEvent => ({ type: 'text-delta', text });
  const shape = (parts: readonly Part[]): readonly string[] =>
    parts.map((part) => ('text' in part ? part.text : 'id' in part ? part.id : part.type));

  test('stands behind the sentence in which it came, whatever the pieces', () => {
    const whole = shape(after(words('Jackdaws ne'), aside('a'), words('st in holes. They pair for life.')));
    expect(whole).toEqual(['Jackdaws nest in holes. ', 'a', 'They pair for life.']);
    const letters = Array.from('st in holes. They pair for life.', words);
    expect(shape(after(words('Jackdaws ne'), aside('a'), ...letters))).toEqual(whole);
  });

  test('keeps the order of several, and sources break nothing', () => {
    const source: StreamEvent = { type: 'citation', url: 'https://a', title: 'A' };
    const parts = after(words('One'), aside('a'), source, aside('b'), words(' two. Three'), aside('c'), words(' four.'));
    expect(shape(parts)).toEqual(['One two. ', 'a', 'citation', 'b', 'Three four.', 'c']);
  });

  test('comes last where the sentence never ends', () => {
    expect(shape(after(words('One'), aside('a'), words(' two'), { type: 'finish', reason: 'stop', rawReason: 'stop' }))).toEqual([
      'One two',
      'a',
    ]);
  });

  test('does not join texts that something else parted', () => {
    const hosted: StreamEvent = { type: 'hosted', id: 'a', name: 'code', status: 'done' };
    expect(shape(after(words('I compute'), hosted, words('The sum is 2.')))).toEqual(['I compute', 'a', 'The sum is 2.']);
    expect(shape(after(words('One'), { type: 'part-end' }, aside('a'), words(' two.')))).toEqual(['One', 'a', ' two.']);
  });
});

test('what runs at the provider ends with the answer', () => {
  const hosted: StreamEvent = { type: 'hosted', id: 'a', name: 'web_search', status: 'running' };
  expect(after(hosted, { type: 'finish', reason: 'stop', rawReason: 'stop' })).toMatchObject([{ status: 'done' }]);
  expect(after(hosted, { type: 'finish', reason: 'error', rawReason: null })).toMatchObject([{ status: 'failed' }]);
  expect(after(hosted, { type: 'finish', reason: 'pause', rawReason: 'pause_turn' })).toMatchObject([{ status: 'running' }]);
});

test('a part that was closed stays closed behind a source', () => {
  const parts = after(
    { type: 'text-delta', text: 'One.' },
    { type: 'citation', url: 'https://a', title: 'A' },
    { type: 'part-end' },
    { type: 'text-delta', text: 'Two.' },
  );
  expect(parts.map((part) => ('text' in part ? part.text : part.type))).toEqual(['One.', 'citation', 'Two.']);
});
