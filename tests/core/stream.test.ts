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

test('a part that was closed stays closed behind a source', () => {
  const parts = after(
    { type: 'text-delta', text: 'One.' },
    { type: 'citation', url: 'https://a', title: 'A' },
    { type: 'part-end' },
    { type: 'text-delta', text: 'Two.' },
  );
  expect(parts.map((part) => ('text' in part ? part.text : part.type))).toEqual(['One.', 'citation', 'Two.']);
});
