import { describe, expect, test } from 'vitest';
import {
  answerData,
  answerText,
  checkAnswers,
  deadlineLeft,
  defaultAnswers,
  parseQuestions,
  pauseDeadline,
  resumeDeadline,
  type AskedQuestion,
} from '../../src/core/question';
import type { Question } from '../../src/core/tool';

const asked = (change: Partial<AskedQuestion> = {}, labels: readonly string[] = ['Red', 'Blue']): AskedQuestion => ({
  question: 'Which colour?',
  options: labels.map((label) => ({ label })),
  ...change,
});

function parsed(questions: readonly AskedQuestion[]): readonly Question[] {
  const result = parseQuestions(questions);
  if ('fault' in result) throw new Error(result.fault);
  return result.questions;
}

function fault(questions: readonly AskedQuestion[]): string {
  const result = parseQuestions(questions);
  return 'fault' in result ? result.fault : '';
}

describe('questions', () => {
  test('get ids where they have none, and the recommended choice first', () => {
    const options = [{ label: 'A' }, { label: 'B', recommended: true, description: ' because ' }];
    expect(parsed([asked({ options }), asked({ id: 'mine', header: ' Size ' })])).toEqual([
      {
        id: 'q1',
        prompt: 'Which colour?',
        options: [
          { label: 'B', description: 'because', isRecommended: true },
          { label: 'A', isRecommended: false },
        ],
      },
      {
        id: 'mine',
        header: 'Size',
        prompt: 'Which colour?',
        options: [
          { label: 'Red', isRecommended: false },
          { label: 'Blue', isRecommended: false },
        ],
      },
    ]);
  });

  test('that break a rule say which rule and where, each in its own words', () => {
    const twice = {
      options: [
        { label: 'A', recommended: true },
        { label: 'B', recommended: true },
      ],
    };
    const faults = [
      fault(Array.from({ length: 5 }, () => asked())),
      fault([asked({}, ['Only'])]),
      fault([asked(), asked({}, ['A', 'B', 'C'])]),
      fault([asked(), asked(twice)]),
      fault([asked({}, ['Same', 'Same '])]),
      fault([]),
      fault([asked({ question: ' ' })]),
      fault([asked({}, ['A', ' '])]),
      fault([asked({ id: 'x' }), asked({ id: 'x' })]),
      fault([asked({}, ['1', '2', '3', '4', '5', '6', '7'])]),
    ];
    expect(new Set(faults).size).toBe(faults.length);
    expect(faults.every((text) => text.length > 10)).toBe(true);
    // The model has to find the place.
    expect(faults[1]).toContain('Question 1');
    expect(faults[2]).toContain('Question 2 has 3 options');
    expect(faults[3]).toContain('Question 2');
    expect(faults[4]).toContain('Question 1 has the option “Same” twice');
  });
});

describe('answers', () => {
  const questions = parsed([asked(), asked({ question: 'How many?' }, ['One', 'Two'])]);
  const [first, second] = ['q1', 'q2'];

  test('are complete when each question has one that is listed, or own words', () => {
    expect(
      checkAnswers(questions, [
        { questionId: first, label: 'Blue' },
        { questionId: second, custom: 'Three' },
      ]),
    ).toBeNull();
    expect(checkAnswers(questions, [{ questionId: first, label: 'Blue' }])).toBe('missing');
    expect(
      checkAnswers(questions, [
        { questionId: first, label: 'Blue' },
        { questionId: second, custom: ' ' },
      ]),
    ).toBe('missing');
    expect(
      checkAnswers(questions, [
        { questionId: first, label: 'Green' },
        { questionId: second, label: 'One' },
      ]),
    ).toBe('unknown');
    expect(checkAnswers(questions, [{ questionId: 'q9', label: 'Blue' }, ...defaultAnswers(questions)])).toBe('unknown');
  });

  test('by default are the recommended choices, else the first', () => {
    const [recommending] = parsed([asked({ options: [{ label: 'A' }, { label: 'B', recommended: true }] })]);
    expect(defaultAnswers(recommending === undefined ? [] : [recommending, ...questions.slice(1)])).toEqual([
      { questionId: 'q1', label: 'B' },
      { questionId: 'q2', label: 'One' },
    ]);
  });

  test('tell the model whose words they are, and that nobody was there where that is so', () => {
    const answers = [
      { questionId: first, label: 'Blue' },
      { questionId: second, custom: 'Three' },
    ];
    expect(answerText(questions, answers, 'answered')).toContain('“Three” (in the user’s own words)');
    expect(answerText(questions, defaultAnswers(questions), 'timed-out')).toContain('did not answer in time');
    expect(answerData(questions, answers, 'answered')).toMatchObject({
      kind: 'ask_user_question',
      timedOut: false,
      answers: [
        { answer: 'Blue', isOwn: false },
        { answer: 'Three', isOwn: true },
      ],
    });
  });
});

test('a clock is stopped with what was left, and goes on with it', () => {
  const paused = pauseDeadline({ type: 'at', at: 1000 }, 400);
  expect(paused).toEqual({ type: 'paused', leftMs: 600 });
  expect(deadlineLeft(paused, 99_999)).toBe(600);
  expect(resumeDeadline(paused, 5000)).toEqual({ type: 'at', at: 5600 });
  expect(deadlineLeft({ type: 'at', at: 10 }, 20)).toBe(0);
  expect(deadlineLeft(undefined, 20)).toBeNull();
});
