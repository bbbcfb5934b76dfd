import { describe, expect, it } from 'vitest';
import { splitText } from '../../../src/app/markdown/split';

const finished = (text: string): readonly string[] => splitText(text).finished.map((block) => block.source);

describe('finished blocks', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['a paragraph after a blank line', 'one\n\ntwo\n', ['one\n\n']],
    ['not before the next line is whole', 'one\n\ntwo', []],
    ['a list ends by a paragraph', '- a\n- b\n\ntext\n', ['- a\n- b\n\n']],
    ['a list goes on after blank lines', '- a\n\n\n- b\n', []],
    ['a number may become a list item', '1. a\n\n2', []],
    ['a heading right below', 'text\n# heading\nmore\n', ['text\n']],
    ['a table may take the line above its second', 'text\n# h\na | b\n', ['text\n']],
    ['an open fence holds everything', '```\na\n\nb\n\n# c\n', []],
    ['a closed fence', '```\na\n```\ntext\nmore\n', ['```\na\n```\n']],
    ['a formula may still reach over a heading', '$$\nx\n# y\nz\n', []],
    ['no formula holds a blank line', '$$\nx\n\ny\n', ['$$\nx\n\n']],
    ['a link definition may get a title', '[a]: https://example.org\n"title\nmore\n', []],
    ['a link definition before a blank line', '[a]: https://example.org\n\ntext\n', ['[a]: https://example.org\n\n']],
    ['a footnote with its paragraphs', '[^a]: one\n\n    two\n\ntext\n', ['[^a]: one\n\n    two\n\n']],
    ['blank lines before anything', '\n\none\n\ntwo\n', ['\n\none\n\n']],
  ])('%s', (_, text, expected) => {
    expect(finished(text)).toEqual(expected);
  });

  it('cuts without losing a character', () => {
    const text = '\n# a\ntext\n\n\n- b\n\n[r]: https://example.org\n\n```\nc';
    const { finished: done, unfinished } = splitText(text);
    expect([...done, ...unfinished].map((block) => block.source).join('')).toBe(text);
    expect([...done, ...unfinished].every((block) => text.startsWith(block.source, block.offset))).toBe(true);
  });
});
