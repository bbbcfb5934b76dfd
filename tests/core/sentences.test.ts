import { describe, expect, test } from 'vitest';
import { sentenceEnd } from '../../src/core/sentences';

/** The text with its place marked: `¦` is where the search begins. */
function cutOf(marked: string): string | null {
  const from = marked.indexOf('¦');
  const text = marked.slice(0, from) + marked.slice(from + 1);
  const end = sentenceEnd(text, from);
  return end === null ? null : text.slice(0, end);
}

describe('the next end of a sentence', () => {
  test.each([
    ['Jackdaws ne¦st in holes. They pair for life.', 'Jackdaws nest in holes. '],
    ['Holes.¦ They pair for life. Always.', 'Holes. '],
    ['Pi is 3.¦14 or so. Next.', 'Pi is 3.14 or so. '],
    ['寒鸦在洞¦里筑巢。它们终生相伴。', '寒鸦在洞里筑巢。'],
    ['Is it¦ so?! Yes, it is.', 'Is it so?! '],
    ['A head¦ing\n\nWords', 'A heading\n'],
  ])('%s', (marked, before) => {
    expect(cutOf(marked)).toBe(before);
  });

  test.each([
    [
      'a link',
      'See [the pa¦ge. Now](https://a.example/x.html?a=1. B) for it. Next.',
      'See [the page. Now](https://a.example/x.html?a=1. B) for it. ',
    ],
    ['code in a line', 'Call `a¦. B` first. Then go.', 'Call `a. B` first. '],
    ['a fence', 'Look:\n```js\nlet a¦ = 1. B\n\nC. D\n```\nDone. Next.', 'Look:\n```js\nlet a = 1. B\n\nC. D\n```\n'],
    ['a formula', 'So $$a¦. B$$ holds. Next.', 'So $$a. B$$ holds. '],
    ['emphasis', '**One¦. Two** is bold. Next.', '**One. Two** is bold. '],
    ['a table', '| a¦ b |\n|---|---|\n| 1. X | 2 |\n\nNext. More.', '| a b |\n|---|---|\n| 1. X | 2 |\n'],
  ])('is never inside %s', (_what, marked, before) => {
    expect(cutOf(marked)).toBe(before);
  });

  test.each(['Jackdaws ne¦st', 'Jackdaws nest¦.', 'See [the¦ page. A', 'Call `a¦. B', '```\na¦. B\n\nC. D\n'])(
    'is not known yet: %s',
    (marked) => {
      expect(cutOf(marked)).toBeNull();
    },
  );
});
