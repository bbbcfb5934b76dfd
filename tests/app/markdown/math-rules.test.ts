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
    ['costs $5, or $x + y$', ['x + y']],
    ['between $5 and $x$ dollars', ['x']],
    ['for $5 you get $n = 3$ of them', ['n = 3']],
    ['$100$ and $3 + 4$', ['100', '3 + 4']],
    ['$5x$, $2 + xy$ and $10^6$', ['5x', '2 + xy', '10^6']],
    ['$5 = 2 + 3$ and $0 \\text{ or more apples}$', ['5 = 2 + 3', '0 \\text{ or more apples}']],
    ['$速度 = 路程/时间$', ['速度 = 路程/时间']],
    ['| price | rule |\n|---|---|\n| $5 and $10 | $x$ |\n| \\$7 | $y$ |', ['x', 'y']],
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
    'US$5–$7',
    '$5–$7, $5—$7 and $5/$7',
    '$1,000.50–$2,000.75',
    'HK$50, NT$1,500, R$6 and C$7',
    '$5M-$10M or $5k to $10k',
    '$5 + $6 = $11',
    '~$5, >$6 and -$7 vs. +$8',
    '$.50 and $.75',
    'One costs $5; the other costs 6$.',
    '$5/month, or 50$ a year',
    '$5,000,000 (in US$)',
    '100$-200$, 5 $ und 6 $',
    '价格从$5涨到$10。',
    '花了$5，还剩5$。',
    '**$5** and **$10**',
    '"$5", "$10"',
    '[$5](https://example.org/a), [$6](https://example.org/b)',
    '| a | b |\n|---|---|\n| $5 | $10 |\n| US$5 | $1–$2 |',
    '- $5\n- $10',
    '# From $5 to $10',
    '> $5 and $10',
    '\\$5 and \\$10',
    '$5 and \\$x$',
    '`$5` and `$10`',
    'the `$x` costs $5`$`',
    'All $variables are words until 5$ are paid.',
    '$HOME/$USER, $USER@$HOST and ${HOME}/${USER}',
    '"$first","$second"',
    '$A$1:$B$2',
    '$$5 or $$10',
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
