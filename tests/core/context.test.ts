import { expect, test } from 'vitest';
import { estimateMessageTokens, estimateTextTokens } from '../../src/core/context';

test.each([
  ['', 0],
  ['   \n', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['你好', 2],
  ['你好abc', 3],
])('%j is about %i tokens', (text, tokens) => {
  expect(estimateTextTokens(text)).toBe(tokens);
});

test('a message costs its parts, or what the server counted if that is more, and four tokens around it', () => {
  const parts = [{ type: 'text', step: 0, text: 'abcd' }] as const;
  expect(estimateMessageTokens([{ step: 0, parts }])).toBe(5);
  expect(estimateMessageTokens([{ step: 0, parts, usage: { outputTokens: 90 } }])).toBe(94);
});
