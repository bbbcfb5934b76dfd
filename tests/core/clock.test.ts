import { expect, test } from 'vitest';
import { isLater, tick } from '../../src/core/clock';

test('a device never counts backwards, whatever its wall clock does', () => {
  const first = tick(undefined, 1000, 'a');
  const second = tick(first, 400, 'a');
  expect(second.time).toBe(1001);
  expect(isLater(second, first)).toBe(true);
});

test('two devices agree on who wins a tie', () => {
  const left = { time: 5, device: 'a' };
  const right = { time: 5, device: 'b' };
  expect(isLater(right, left)).toBe(true);
  expect(isLater(left, right)).toBe(false);
  expect(isLater(left, undefined)).toBe(true);
});
