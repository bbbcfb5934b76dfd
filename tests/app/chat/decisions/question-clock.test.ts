import { expect, test } from 'vitest';
import { clockOf, clockText } from '../../../../src/app/chat/decisions/question-clock';

const at = (epochMs: number) => ({ type: 'at', at: epochMs }) as const;

test('only the stored deadline counts: a clock that jumps shows what is true then', () => {
  expect(clockOf(at(180_000), 0, 0)).toEqual({ type: 'running', seconds: 180 });
  expect(clockOf(at(180_000), 18_500, 0)).toEqual({ type: 'running', seconds: 162 });
  // Set back by an hour, or asleep for a while.
  expect(clockOf(at(180_000), -3_600_000, 0)).toEqual({ type: 'running', seconds: 3780 });
  expect(clockOf(at(180_000), 180_000, 0)).toEqual({ type: 'due' });
  expect(clockOf(at(180_000), 209_000, 0)).toEqual({ type: 'due' });
  expect(clockOf(at(180_000), 211_000, 0)).toEqual({ type: 'overdue' });
});

test('a time that was over when it was first seen is overdue at once', () => {
  expect(clockOf(at(1000), 1001, 1001)).toEqual({ type: 'overdue' });
  expect(clockOf(at(1000), 5000, 1000)).toEqual({ type: 'overdue' });
});

test('paused and without a limit', () => {
  expect(clockOf({ type: 'paused', leftMs: 61_000 }, 999_999, 0)).toEqual({ type: 'paused', seconds: 61 });
  expect(clockOf(undefined, 5, 0)).toEqual({ type: 'none' });
});

test('is read as minutes and seconds', () => {
  expect([0, 9, 60, 161, 600].map(clockText)).toEqual(['0:00', '0:09', '1:00', '2:41', '10:00']);
});
