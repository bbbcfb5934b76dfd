import { describe, expect, test } from 'vitest';
import type { Part } from '../../src/core/node';
import { reduce, type StreamEvent } from '../../src/core/stream';

function after(...events: readonly StreamEvent[]): readonly Part[] {
  return events.reduce<readonly Part[]>((parts, event, at) => reduce(parts, event, { step: 0, at }), []);
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
