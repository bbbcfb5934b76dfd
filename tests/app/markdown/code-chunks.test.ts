import { describe, expect, it } from 'vitest';
import { CHUNK_CHARACTERS, CHUNK_LINES, splitLines, splitLongLine } from '../../../src/app/markdown/code-chunks';

describe('long code in pieces', () => {
  it.each([
    ['nothing', ''],
    ['one line', 'a'],
    ['a line break', '\n'],
    ['many short lines', 'x\n'.repeat(10 * CHUNK_LINES + 1)],
    ['many longer lines', `${'x'.repeat(300)}\n`.repeat(100)],
    ['a long line among short ones', `a\nb\n${'y'.repeat(10 * CHUNK_CHARACTERS)}\nc\nd`],
    ['a long line at the end', `a\n${'y'.repeat(CHUNK_CHARACTERS + 1)}`],
    ['two long lines', `${'y'.repeat(CHUNK_CHARACTERS)}\n${'z'.repeat(CHUNK_CHARACTERS)}\n`],
    ['characters of two units', '👍'.repeat(CHUNK_CHARACTERS + 1)],
  ])('loses nothing: %s', (_, text) => {
    const pieces = splitLines(text);
    expect(pieces.join('')).toBe(text);
    for (const piece of pieces.slice(0, -1)) expect(piece.endsWith('\n')).toBe(true);
    for (const piece of pieces) {
      const lines = piece.split('\n').length - (piece.endsWith('\n') ? 1 : 0);
      expect(lines).toBeLessThanOrEqual(CHUNK_LINES);
      expect(lines === 1 || piece.length <= CHUNK_CHARACTERS).toBe(true);
      expect(splitLongLine(piece).join('')).toBe(piece);
      for (const part of splitLongLine(piece)) expect(part).not.toMatch(/[\ud800-\udbff]$/);
    }
  });

  it('keeps the pieces of a text that grows', () => {
    const text = `${'short\n'.repeat(250)}${'long '.repeat(2000)}\n${'short\n'.repeat(250)}`;
    for (let length = 0; length < text.length; length += 97) {
      const before = splitLines(text.slice(0, length));
      // Only the last piece may change, and its begin stays where it was.
      expect(splitLines(text).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    }
  });
});
