import { describe, expect, test } from 'vitest';
import { DEFAULT_CONTROLS } from '../../src/core/tool';
import { JackdawDatabase } from '../../src/storage/db';
import { ArgumentsError } from '../../src/tools/arguments-error';
import { askUser } from '../../src/tools/ask-user';
import type { ToolContext } from '../../src/tools/tool';

const context: ToolContext = {
  facts: {
    controls: DEFAULT_CONTROLS,
    capabilities: { vision: false, tools: true, reasoning: false, contextTokens: null },
    conversationId: 'conversation',
    assistantId: 'munin',
    hasStoredOutputs: false,
    hasFiles: false,
    makesImages: false,
  },
  signal: new AbortController().signal,
  database: new JackdawDatabase('ask-user'),
  callId: 'call',
  toolNames: ['ask_user'],
  before: [],
  answer: [],
  now: () => 1,
  timeZone: 'UTC',
  newId: () => 'id',
  report: () => undefined,
  makeImage: async () => Promise.reject(new Error('no pictures here')),
};

const option = (label: string, more: object = {}) => ({ label, ...more });
const one = (more: object = {}) => ({ question: 'Which?', options: [option('A'), option('B')], ...more });
const asked = (...questions: readonly object[]) => ({ questions });

describe('the shape that models are told', () => {
  test('is closed, and an argument that is not in it is named', () => {
    expect(askUser.parameters).toMatchObject({ type: 'object', additionalProperties: false, required: ['questions'] });
    expect(() => askUser.check(asked(one({ multi: true })))).toThrow(ArgumentsError);
    expect(() => askUser.check(asked(one({ multi: true })))).toThrow(/unknown argument “questions\.0\.multi”/);
    expect(() => askUser.check({ questions: 'Which?' })).toThrow(/questions/);
    expect(() => askUser.check(asked({ question: 'Which?' }))).toThrow(/questions\.0\.options/);
  });

  test('takes everything that is documented', () => {
    const full = one({ id: 'mine', header: 'Size', options: [option('A', { description: 'Small' }), option('B', { recommended: true })] });
    expect(askUser.questions?.(asked(full))).toEqual([
      {
        id: 'mine',
        header: 'Size',
        prompt: 'Which?',
        options: [
          { label: 'B', isRecommended: true },
          { label: 'A', description: 'Small', isRecommended: false },
        ],
      },
    ]);
  });
});

describe('questions that can’t be put', () => {
  test.each([
    ['five of them', asked(one(), one(), one(), one(), one()), /not 5/],
    ['one option', asked(one({ options: [option('A')] })), /Question 1 has 1 option;/],
    [
      'unequal counts',
      asked(one(), one({ options: [option('A'), option('B'), option('C')] })),
      /Question 2 has 3 options and question 1 has 2/,
    ],
    [
      'two recommended',
      asked(one(), one({ options: [option('A', { recommended: true }), option('B', { recommended: true })] })),
      /Question 2 recommends more than one/,
    ],
    ['the same label twice', asked(one({ options: [option('A'), option(' A ')] })), /Question 1 has the option “A” twice/],
  ])('%s: nothing is asked, and the model is told what is wrong', async (_case, args, fault) => {
    expect(askUser.questions?.(args)).toBeNull();
    const outcome = await askUser.call(args, context);
    expect(outcome.failure).toBe('arguments-invalid');
    expect(outcome.text).toMatch(fault);
    expect(outcome.text).toContain('Nothing was asked');
  });
});

test('it asks by itself, belongs to the questions, and is off where agent tools are off', () => {
  expect(askUser).toMatchObject({ name: 'ask_user', approval: 'answer', group: 'questions', isAgentTool: true });
});
