import { describe, expect, it } from 'vitest';
import { appendToFence } from '../../../src/app/markdown/open-fence';
import { completeForDisplay } from '../../../src/app/markdown/unfinished-text';

describe('a block that is still arriving', () => {
  it.each([
    ['some **bold te', 'some **bold te**'],
    ['some **bold*', 'some **bold**'],
    ['some **', 'some '],
    ['**done** text', '**done** text'],
    ['2 * 3', '2 * 3'],
    ['some ~~old', 'some ~~old~~'],
    ['some `code', 'some `code`'],
    ['some `', 'some '],
    ['`**` is bold', '`**` is bold'],
    ['see [docs](https://exa', 'see docs'],
    ['see [docs](https://exa.org/a_(b', 'see docs'],
    ['see [docs](https://exa.org)', 'see [docs](https://exa.org)'],
    ['list[0] and [1]', 'list[0] and [1]'],
    ['see ![pic](https://exa', 'see '],
    ['see ![pi', 'see '],
    ['text\n-', 'text'],
    ['text\n==', 'text'],
    ['- a\n2.', '- a'],
    ['#', ''],
    ['text\n``', 'text'],
    ['| a | b |', ''],
    ['| a | b |\n|--', ''],
    ['| a | b |\n|---|---|', '| a | b |\n|---|---|'],
    ['```js\nconst a = **', '```js\nconst a = **'],
    ['```js\na\n``', '```js\na'],
    ['- x\n  ```\n  -', '- x\n  ```\n  -'],
    ['```js\na\n```', '```js\na\n```'],
    ['plain', 'plain'],
    ['', ''],
  ])('%j', (source, expected) => {
    expect(completeForDisplay(source)).toBe(expected);
  });
});

describe('a fence that grows', () => {
  it.each([
    ['```js\na', '```js\na\nb', { language: 'js', text: 'a\nb' }],
    ['```\n', '```\nx\n', { language: '', text: 'x' }],
    ['~~~ {.x}\na', '~~~ {.x}\na\n```\n', { language: '', text: 'a\n```' }],
    ['````md\n```\n', '````md\n```\nx\n``', { language: 'md', text: '```\nx' }],
  ])('%j to %j', (before, after, expected) => {
    expect(appendToFence(before, after)).toEqual({ type: 'code', open: true, ...expected });
  });

  it.each([
    ['```js\na', '```js\na\n```'],
    ['```js\na\n``', '```js\na\n```\nb'],
    ['```js', '```js\na'],
    ['- ```\n  a', '- ```\n  a\n  b'],
    ['text', 'text more'],
    ['```\na', '```\nb'],
  ])('is read by the parser from %j to %j', (before, after) => {
    expect(appendToFence(before, after)).toBeNull();
  });
});
