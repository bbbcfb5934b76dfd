import { expect, it } from 'vitest';
import { plainPieces } from '../../../src/app/chat/plain-pieces';

it.each([
  ['nothing', ''],
  ['a word', 'word'],
  ['many words', 'some words '.repeat(5000)],
  ['many lines', 'line\n'.repeat(10_000)],
  ['one word', 'a'.repeat(100_000)],
  ['characters of two units', `a${'👍'.repeat(50_000)}`],
])('loses nothing and cuts no character: %s', (_, text) => {
  const pieces = plainPieces(text);
  expect(pieces.join('')).toBe(text);
  for (const piece of pieces) {
    expect(piece.length).toBeLessThan(10_000);
    expect(piece).not.toMatch(/[\ud800-\udbff]$/);
  }
});
