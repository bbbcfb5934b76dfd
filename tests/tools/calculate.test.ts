import { describe, expect, test } from 'vitest';
import { calculate } from '../../src/tools/calculate';
import { ArgumentsError } from '../../src/tools/arguments-error';
import { idleToolContext } from '../support/idle-tool-context';

const ask = (expression: string) => calculate.call({ expression }, idleToolContext());

describe('calculate', () => {
  test.each([
    ['(3.5 + 1.5) * 4', '(3.5 + 1.5) * 4 = 20'],
    ['100/7', '100/7 = 14.2857142857 (rounded to 12 significant digits)'],
    ['7/4', '7/4 = 1.75'],
    ['what percent of 80 is 20', 'what percent of 80 is 20 = 25%'],
    ['72 kg in pounds', '72 kg in pounds = 158.732828773 lb (rounded to 12 significant digits)'],
    ['30 days from today', '30 days from today = 2026-04-13 (Monday)'],
    ['days between March 1 and April 15', 'days between March 1 and April 15 = 45 days'],
    ['100天以后是星期几', '100天以后是星期几 = 星期一 (2026-06-22)'],
    ['10 / 0', '10 / 0: division by zero, so it has no value.'],
    ['sqrt(-4)', 'sqrt(-4): not defined for these numbers, so it has no real value.'],
    ['9^9^9', '9^9^9: too large to be worked out.'],
  ])('%s', async (expression, text) => {
    expect(await ask(expression)).toMatchObject({ text });
  });

  test('the card has the answer as data', async () => {
    expect((await ask('150 + 20%')).data).toEqual({
      kind: 'calculation',
      expression: '150 + 20%',
      answer: { type: 'value', kind: 'arith', source: '150 + 20%', value: '180', approximate: false },
    });
    expect(await ask('10 / 0')).not.toHaveProperty('failure');
    expect((await ask('10 / 0')).data).toMatchObject({ answer: { type: 'error', code: 'division_by_zero' } });
  });

  test('what is no calculation fails and says what would be one', async () => {
    const outcome = await ask('x + 3');
    expect(outcome.failure).toBe('arguments-invalid');
    expect(outcome.text).toContain('“x + 3”');
    expect(outcome).not.toHaveProperty('data');
  });

  test('an empty or an endless expression is refused', async () => {
    await expect(ask('  ')).rejects.toBeInstanceOf(ArgumentsError);
    await expect(ask('1+'.repeat(600))).rejects.toBeInstanceOf(ArgumentsError);
    await expect(calculate.call({ expression: '1+1', precision: 3 }, idleToolContext())).rejects.toThrow('precision');
  });

  test('a stopped run gets no answer', async () => {
    await expect(calculate.call({ expression: '1+1' }, idleToolContext({ signal: AbortSignal.abort() }))).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('it runs unasked, in every conversation', () => {
    expect(calculate).toMatchObject({ name: 'calculate', group: 'calculation', approval: 'never', isAgentTool: false });
    expect(calculate.available(idleToolContext().facts)).toBe(true);
    expect(calculate.parameters).toMatchObject({ required: ['expression'], additionalProperties: false });
  });
});
