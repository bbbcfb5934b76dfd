import { describe, expect, test } from 'vitest';
import { lastSentenceEnd, sentenceEnd } from '../../src/core/sentences';

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

/** By searching one end after the other, which takes too long for long texts. */
function lastByOne(text: string): number {
  let last = 0;
  for (let found = sentenceEnd(text, 1); found !== null; found = sentenceEnd(text, found + 1)) last = found;
  return last;
}

describe('the last end of a sentence', () => {
  const paragraph =
    'One is here. **Two. Three** is [a link. B](https://a.example/?a=1. B) there! `Code. X` is not. 寒鸦在洞里筑巢。它们终生\n\n- An item\n- Pi is 3.14. So\n\n```\na. B\n\nC. D\n```\n\n| a. B | c |\n|---|---|\n\nEnd. Of it';

  test('is that of searching one after the other, wherever the text ends', () => {
    const text = paragraph.repeat(3);
    for (let length = 0; length <= text.length; length++)
      expect(lastSentenceEnd(text.slice(0, length)), text.slice(0, length)).toBe(lastByOne(text.slice(0, length)));
  });

  test('is found far before what has not ended', () => {
    const open = '`'.repeat(3) + '\n' + 'a. B\n'.repeat(100_000);
    expect(lastSentenceEnd(`One is here. Two. Three is\n\n${open}`)).toBe('One is here. Two. Three is\n\n'.length);
    expect(lastSentenceEnd(`One is here. ${'No end '.repeat(20_000)}`)).toBe('One is here. '.length);
  });

  test('takes no longer for a text of many sentences', { timeout: 5_000 }, () => {
    expect(lastSentenceEnd('这是一段没有空格的文字，它很长。'.repeat(60_000) + '这')).toBe(960_000);
  });
});
