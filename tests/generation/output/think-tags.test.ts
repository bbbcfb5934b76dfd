import { describe, expect, test } from 'vitest';
import { splitThinking } from '../../../src/generation/output/think-tags';

const final = (text: string) => {
  const { blocks, answer } = splitThinking(text, true);
  return { thoughts: blocks.map((block) => block.text), answer };
};

describe('a finished answer', () => {
  test.each([
    ['<think>why</think>Because.', ['why'], 'Because.'],
    ['\n <thinking>why</thinking>\n\nBecause.', ['why'], 'Because.'],
    ['<think>a</think>\n<think>b</think>Both.', ['a', 'b'], 'Both.'],
    ['<think>never closed', ['never closed'], ''],
    ['<think></think>Plain.', [''], 'Plain.'],
    ['the template opened it</think>Answer.', ['the template opened it'], 'Answer.'],
    ['Use the <think> tag like this: <think>x</think>', [], 'Use the <think> tag like this: <think>x</think>'],
    ['<think>a</think>The tag `</think>` ends it.', ['a'], 'The tag `</think>` ends it.'],
    ['`</think>` ends it.', [], '`</think>` ends it.'],
    ['```html\n</think>\n```', [], '```html\n</think>\n```'],
    ['<thin', [], '<thin'],
    ['No tags at all.', [], 'No tags at all.'],
  ])('%j', (text, thoughts, answer) => {
    expect(final(text)).toEqual({ thoughts, answer });
  });
});

describe('while it streams', () => {
  test('nothing that could become a tag is shown', () => {
    for (const start of ['<', '<th', '<think', '<thinkin', '  <thi'])
      expect(splitThinking(start, false)).toEqual({ blocks: [], answer: '' });
    expect(splitThinking('<div', false).answer).toBe('<div');
  });

  test('the end of a closing tag is held back, whatever the cut', () => {
    const whole = '<think>step one < two</think>Done.';
    for (let length = 1; length <= whole.length; length++) {
      const { blocks, answer } = splitThinking(whole.slice(0, length), false);
      expect('step one < two'.startsWith(blocks[0]?.text ?? '')).toBe(true);
      expect('Done.'.startsWith(answer)).toBe(true);
    }
  });
});
