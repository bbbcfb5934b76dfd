import { describe, expect, test } from 'vitest';
import { decisionKey, readableArguments, waitingCalls, type DecisionKeyEvent } from '../../../../src/app/chat/decisions/waiting-calls';
import type { ToolPart } from '../../../../src/core/node';

const call = (callId: string, change: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  step: 1,
  callId,
  wireId: callId,
  name: 'calculate',
  argumentsText: '{}',
  approval: 'pending',
  execution: 'open',
  ...change,
});

test('only open, undecided calls of the last step of an awaiting answer wait', () => {
  const last = [call('a'), call('b', { approval: 'approved' }), call('c', { execution: 'interrupted' }), call('d')];
  const steps = [
    { step: 1, parts: [call('earlier')] },
    { step: 2, parts: last },
  ];
  expect(waitingCalls({ status: 'awaiting', steps }).map(({ callId }) => callId)).toEqual(['a', 'd']);
  expect(waitingCalls({ status: 'interrupted', steps })).toEqual([]);
  expect(waitingCalls(undefined)).toEqual([]);
});

test('arguments are JSON in lines, or as they came where they are none', () => {
  expect(readableArguments('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readableArguments(' {"half": ')).toBe('{"half":');
  expect(readableArguments('{}')).toBe('');
});

describe('decision keys', () => {
  const alt = (key: string, code: string, change: Partial<DecisionKeyEvent> = {}): DecisionKeyEvent => ({
    key,
    code,
    altKey: true,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    repeat: false,
    isComposing: false,
    ...change,
  });

  test('count from anywhere where Alt writes nothing', () => {
    expect(decisionKey(alt('a', 'KeyA'), true)).toBe('approve');
    expect(decisionKey(alt('D', 'KeyD'), true)).toBe('deny');
    expect(decisionKey(alt('x', 'KeyX'), false)).toBeNull();
  });

  test('go by the letter of the layout, not by the place of another letter', () => {
    expect(decisionKey(alt('a', 'KeyQ'), false)).toBe('approve');
    expect(decisionKey(alt('q', 'KeyA'), false)).toBeNull();
  });

  test('leave a letter that Alt writes to whoever is typing', () => {
    expect(decisionKey(alt('å', 'KeyA'), true)).toBeNull();
    expect(decisionKey(alt('∂', 'KeyD'), true)).toBeNull();
    expect(decisionKey(alt('å', 'KeyA'), false)).toBe('approve');
    expect(decisionKey(alt('∂', 'KeyD'), false)).toBe('deny');
  });

  test.each([{ altKey: false }, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { repeat: true }, { isComposing: true }])(
    'never count with %o',
    (change) => {
      expect(decisionKey(alt('a', 'KeyA', change), false)).toBeNull();
    },
  );
});
