import * as v from 'valibot';
import { parseQuestions, QUESTION_LIMITS } from '../core/question';
import { defineTool } from './define-tool';

const option = v.strictObject({
  label: v.pipe(v.string(), v.description('A few words; the user picks it.')),
  description: v.optional(v.pipe(v.string(), v.description('What follows from it, in one sentence.'))),
  recommended: v.optional(
    v.pipe(v.boolean(), v.description('True for at most one option: it is shown first and holds if nobody answers.')),
  ),
});
const question = v.strictObject({
  id: v.optional(v.string()),
  question: v.pipe(v.string(), v.description('The whole question, with a question mark.')),
  header: v.optional(v.pipe(v.string(), v.description('One or two words for its tab.'))),
  options: v.pipe(v.array(option), v.description('2 to 6, as many in every question. The user can always write something else.')),
});

/** Puts questions with choices to the user. A call with sound questions is never executed: what the user answers is its result. */
export const askUser = defineTool({
  name: 'ask_user',
  group: 'questions',
  approval: 'answer',
  isAgentTool: true,
  description: `Ask the user one to ${String(QUESTION_LIMITS.questions)} questions with choices, and wait for the answer. Only for decisions that are the user’s and change what you do next; find out everything else yourself.`,
  parameters: v.strictObject({ questions: v.pipe(v.array(question), v.description('1 to 4 questions.')) }),
  rule: [
    '# Asking the user',
    '- Use ask_user when a choice is really the user’s; ask everything you need at once, and mark the option that you would take as recommended.',
    '- If the user does not answer in time, the recommended options hold and you are told so.',
  ].join('\n'),
  available: () => true,
  questions: ({ questions }) => {
    const parsed = parseQuestions(questions);
    return 'questions' in parsed ? parsed.questions : null;
  },
  execute: async ({ questions }) => {
    const parsed = parseQuestions(questions);
    const fault = 'fault' in parsed ? parsed.fault : 'The questions could not be put.';
    return Promise.resolve({ failure: 'arguments-invalid', text: `${fault} Nothing was asked. Correct the questions and call again.` });
  },
});
