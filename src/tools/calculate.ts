import * as v from 'valibot';
import type { MathAnswer, MathErrorCode } from '../core/route/math/answer';
import { defineTool } from './define-tool';

const DESCRIPTION =
  'Works out one question exactly and gives its value: arithmetic (+ - * / ^ mod ! %, sqrt cbrt abs round floor ceil exp ln log log2 sin cos tan, ' +
  'pi, e), percentages ("15% of 80", "percent change from 80 to 100"), units ("5 ft 11 in to cm") and dates ("30 days from today", ' +
  '"days between 2026-03-01 and 2026-04-15", "what day of the week was July 20, 1969"). Angles are radians unless degrees are said. ' +
  'English or Chinese. No variables and no currencies.';
const RULE = 'For any calculation use `calculate` and state its value unchanged; do not work numbers out yourself.';

const ERRORS: Readonly<Record<MathErrorCode, string>> = {
  division_by_zero: 'division by zero, so it has no value',
  domain: 'not defined for these numbers, so it has no real value',
  out_of_range: 'too large to be worked out',
};

/** Longer expressions are no questions but data. */
const MAX_CHARACTERS = 1_000;

/** Arithmetic, percentages, units and dates, exactly. A question without a value (10 / 0) is answered with the reason; it is no failure. */
export const calculate = defineTool({
  name: 'calculate',
  group: 'calculation',
  approval: 'never',
  isAgentTool: false,
  description: DESCRIPTION,
  rule: RULE,
  parameters: v.strictObject({
    expression: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1),
      v.maxLength(MAX_CHARACTERS),
      v.description('What to work out, for example "(3.5 + 1.5) * 4" or "10 business days from today".'),
    ),
  }),
  available: () => true,
  execute: async ({ expression }, context) => {
    // Loaded with its first use: the arithmetic is larger than all the tools.
    const { solveAsked } = await import('../core/route/math/solve');
    context.signal.throwIfAborted();
    const answer = solveAsked(expression, { now: context.now(), zone: context.timeZone });
    if (answer === null)
      return {
        text: `“${expression}” is not something that can be worked out. Write one expression, conversion or date question, without variables and words around it.`,
        failure: 'arguments-invalid',
      };
    return { text: inWords(expression, answer), data: { kind: 'calculation', expression, answer: { ...answer } } };
  },
});

function inWords(expression: string, answer: MathAnswer): string {
  switch (answer.type) {
    case 'error':
      return `${expression}: ${ERRORS[answer.code]}.`;
    case 'value':
      return `${expression} = ${answer.value}${answer.unit ?? ''}${rounded(answer.approximate)}`;
    case 'quantity':
    case 'days':
      return `${expression} = ${answer.value} ${answer.unit}${rounded(answer.approximate)}`;
    case 'date':
      return `${expression} = ${answer.value} (${answer.weekday})`;
    case 'weekday':
      return `${expression} = ${answer.value} (${answer.date})`;
  }
}

const rounded = (approximate: boolean): string => (approximate ? ' (rounded to 12 significant digits)' : '');
