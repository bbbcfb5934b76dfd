import { describe, expect, it } from 'vitest';
import { SpokenAnswer } from '../../../src/app/chat/spoken-answer';

describe('what a growing answer says', () => {
  it('is whole sentences, each once', () => {
    const answer = new SpokenAnswer(0);
    expect(answer.next('Jackdaws ne', false, 'Code.')).toBe('');
    expect(answer.next('Jackdaws nest in holes. They pair', false, 'Code.')).toBe('Jackdaws nest in holes.');
    expect(answer.next('Jackdaws nest in holes. They pair', false, 'Code.')).toBe('');
    expect(answer.next('Jackdaws nest in holes. They pair for life', true, 'Code.')).toBe('They pair for life');
    expect(answer.next('Jackdaws nest in holes. They pair for life', true, 'Code.')).toBe('');
  });

  it('has no marks, and no code', () => {
    const text =
      '## Nests\n\n- **Holes** in [trees](https://a.example) and `chimneys`.\n\n```js\nlet a = 1. B\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nEnd.';
    expect(new SpokenAnswer(0).next(text, true, 'Code.')).toBe('Nests Holes in trees and chimneys . Code. a b 1 2 End.');
  });

  it('waits for the end of code', () => {
    const answer = new SpokenAnswer(0);
    expect(answer.next('Look:\n\n```js\nlet a = 1. B\n', false, 'Code.')).toBe('Look:');
    expect(answer.next('Look:\n\n```js\nlet a = 1. B\n```\n\nDone', false, 'Code.')).toBe('Code.');
  });

  it('leaves out what was there before anyone listened', () => {
    expect(new SpokenAnswer(10).next('Long ago. Now it is.', true, 'Code.')).toBe('Now it is.');
  });

  it('speaks Chinese in sentences too', () => {
    const answer = new SpokenAnswer(0);
    expect(answer.next('寒鸦在洞里筑巢。它们终生', false, '代码。')).toBe('寒鸦在洞里筑巢。');
  });
});
