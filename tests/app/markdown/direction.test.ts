import { expect, test } from 'vitest';
import { directionOf } from '../../../src/app/markdown/direction';
import { toBlockContent } from '../../../src/app/markdown/block-nodes';
import { parseBlock } from '../../../src/app/markdown/parser';

function directionOfText(markdown: string) {
  const [block] = toBlockContent(parseBlock(markdown, {}), 0).nodes;
  return block === undefined ? undefined : directionOf(block);
}

test.each([
  ['Hello مرحبا', 'ltr'],
  ['مرحبا Hello', 'rtl'],
  ['שלום', 'rtl'],
  ['12.5 % — مرحبا', 'rtl'],
  ['中文', 'ltr'],
  ['123 … 45', 'auto'],
  ['`code` مرحبا', 'rtl'],
  ['$x$ مرحبا', 'rtl'],
  ['**مرحبا** Hello', 'rtl'],
  ['[مرحبا](https://example.org)', 'rtl'],
  ['# مرحبا', 'rtl'],
  ['1. 5\n2. مرحبا\n3. Hello', 'rtl'],
  ['> - مرحبا', 'rtl'],
  ['| 1 | مرحبا |\n| --- | --- |\n| a | b |', 'rtl'],
  ['| 1 | 2 |\n| --- | --- |\n| a | b |', 'ltr'],
  ['```\nمرحبا\n```', 'auto'],
  ['\u200F123', 'rtl'],
  ['\u{1E900}', 'rtl'],
  ['---', 'auto'],
])('%j is written %s', (markdown, direction) => {
  expect(directionOfText(markdown)).toBe(direction);
});
