import { describe, expect, test } from 'vitest';
import type { Part } from '../../../src/core/node';
import { joinContinuation, repeatedLength } from '../../../src/generation/output/continuation';

const text = (value: string): Part => ({ type: 'text', step: 0, text: value });
const earlier = 'The quick brown fox jumps over the lazy dog and then it';

function joined(added: string, isFinal = true): string {
  return joinContinuation([text(earlier)], [text(added)], isFinal)
    .map((part) => ('text' in part ? part.text : ''))
    .join('|');
}

describe('a continued answer', () => {
  test('goes on byte for byte behind what is there', () => {
    expect(joined(' sleeps.')).toBe(`${earlier} sleeps.`);
  });

  test('loses a beginning that only repeats the end', () => {
    expect(joined('over the lazy dog and then it sleeps.')).toBe(`${earlier} sleeps.`);
    expect(joined(`${earlier} sleeps.`)).toBe(`${earlier} sleeps.`);
  });

  test('keeps an agreement that is shorter than 20 characters', () => {
    expect(joined('then it went home.')).toBe(`${earlier}then it went home.`);
  });

  test('shows nothing of a beginning that may still turn out to be a repeat', () => {
    expect(joined('over the lazy', false)).toBe(earlier);
    expect(joined('over the lazy cat', false)).toBe(`${earlier}over the lazy cat`);
  });

  test('is the same however the stream was cut', () => {
    const added = 'jumps over the lazy dog and then it sleeps. The end.';
    for (let length = 1; length <= added.length; length++)
      expect(joined(added, true).startsWith(joined(added.slice(0, length), false))).toBe(true);
  });

  test('keeps new reasoning before the text, so that the text stays one piece', () => {
    const thought: Part = { type: 'reasoning', step: 0, text: 'hm', startedAt: 1, endedAt: 2 };
    expect(joinContinuation([text('Hel')], [thought, text('lo')], true)).toEqual([thought, text('Hello')]);
    expect(joinContinuation([text('Hel')], [thought], false)).toEqual([thought, text('Hel')]);
  });

  test('starts its text where there was none', () => {
    const thought: Part = { type: 'reasoning', step: 0, text: 'hm', startedAt: 1, endedAt: 2 };
    expect(joinContinuation([thought], [text('Yes')], true)).toEqual([thought, text('Yes')]);
  });
});

test('a repeat is found in an answer of a megabyte at once', () => {
  const long = 'x'.repeat(1_000_000) + earlier;
  expect(repeatedLength(long, 'jumps over the lazy dog and then it', true)).toBe(35);
});
