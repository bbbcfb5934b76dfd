import { describe, expect, it } from 'vitest';
import { toBlockContent } from '../../../src/app/markdown/block-nodes';
import { parseBlock } from '../../../src/app/markdown/parser';

/** Every formula in `text`, display ones marked by a leading `D`. */
function formulas(text: string): readonly string[] {
  const found: string[] = [];
  JSON.stringify(toBlockContent(parseBlock(text, {}), 0).nodes, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'tex' in value && 'type' in value) {
      const isDisplay = value.type === 'formula-block' || ('display' in value && value.display === true);
      found.push(`${isDisplay ? 'D ' : ''}${String(value.tex)}`);
    }
    return value;
  });
  return found;
}

describe('formulas', () => {
  it.each([
    ['a $x^2$ b', ['x^2']],
    ['$x$', ['x']],
    ['其中$x$是，$y$。', ['x', 'y']],
    ['the $n$th and $n$-th', ['n', 'n']],
    ['$2x + 3$', ['2x + 3']],
    ['$a \\$ b$', ['a \\$ b']],
    ['\\(x\\) and \\[y\\]', ['x', 'D y']],
    ['in $$ x $$ text', ['D x']],
    ['$$x = 1$$', ['D x = 1']],
    ['$$\nx\n- y\n# z\n$$', ['D x\n- y\n# z']],
    ['text\n$$\nx\n$$\ntext', ['D x']],
    ['\\[\nx\n\\]', ['D x']],
    ['1. item\n\n   $$\n   x\n   $$', ['D x']],
    ['> $$\n> x\n> $$', ['D x']],
    ['| $a$ | b |\n|---|---|\n| \\(c\\) | $d$ |', ['a', 'c', 'd']],
    ['**$x$** and [$y$](https://example.org)', ['x', 'y']],
  ])('%j', (text, expected) => {
    expect(formulas(text)).toEqual(expected);
  });

  it.each([
    '$5 and $10',
    'from $5 to $10.',
    '$5-$10',
    'US$5 and A$6',
    '5$ or 6$',
    '$5 and she has 10$ left',
    '$20 million (up from 10$)',
    '$ x $',
    '$x $',
    '$HOME and $PATH',
    '`$x$`',
    '`a $x` b$',
    'a $x `y$` z',
    '```\n$x$\n```',
    '    $x$',
    '\\$x$',
    '$$',
    '$$$$',
    '$$ open',
    '$$\nx\n\ny\n$$',
    '$$\n$$',
    'a \\[b\\](https://example.org)',
    '\\( \\)',
    '$',
  ])('none in %j', (text) => {
    expect(formulas(text)).toEqual([]);
  });

  it('keeps the characters of what is no formula', () => {
    const { nodes } = toBlockContent(parseBlock('$$$$ a $5 \\$ b', {}), 0);
    expect(nodes).toEqual([{ type: 'paragraph', tight: false, children: [{ type: 'text', text: '$$$$ a $5 $ b' }] }]);
  });
});
