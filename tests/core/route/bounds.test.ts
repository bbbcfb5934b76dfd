import { afterEach, describe, expect, test, vi } from 'vitest';
import { MathError } from '../../../src/core/route/math/answer';
import { Budget } from '../../../src/core/route/math/budget';
import { compute, readExpression } from '../../../src/core/route/math/compute';
import { solve, solveAsked } from '../../../src/core/route/math/solve';
import { normalise } from '../../../src/core/route/words/normalise';
import { HERE, pure } from './answers';

afterEach(() => vi.restoreAllMocks());

/** How often a text is looked at by a pattern: what the readers' time is made of. */
function looks(work: () => unknown): number {
  const exec = vi.spyOn(RegExp.prototype, 'exec');
  work();
  const count = exec.mock.calls.length;
  exec.mockRestore();
  return count;
}

const HOSTILE: readonly (readonly [name: string, make: (size: number) => string])[] = [
  ['nested parentheses', (size) => `${'('.repeat(size)}1${')'.repeat(size)}`],
  ['a long sum', (size) => `${'1+'.repeat(size)}1`],
  ['open products', (size) => '((((1*2'.repeat(size)],
  ['articles and numbers', (size) => 'a 12 '.repeat(size)],
  ['Chinese digits', (size) => '三'.repeat(size)],
  ['commas', (size) => '1,'.repeat(size)],
  ['minus signs', (size) => '-'.repeat(size)],
  ['dots', (size) => '.'.repeat(size)],
  ['spaces', (size) => `${' '.repeat(size)}1`],
  ['roots', (size) => `${'√'.repeat(size)}2`],
  ['durations', (size) => `${'1天'.repeat(size)}后是几号`],
  ['moved dates', (size) => `${'1 day plus '.repeat(size)}today`],
  ['connectors', (size) => `${'1 in '.repeat(size)}cm`],
  ['spans', (size) => `${'从到'.repeat(size)}多少天`],
  ['percent signs', (size) => '%'.repeat(size)],
  ['runs in a text', (size) => 'word 3 - 4 word '.repeat(size)],
];

describe('hostile texts', () => {
  test.each(HOSTILE)('%s: twice the text is not much more than twice the work', (_name, make) => {
    const [once, twice] = [20, 40].map((size) => looks(() => solve(make(size), HERE)));
    expect(twice).toBeLessThanOrEqual((once ?? 0) * 2.5 + 200);
  });

  test.each(HOSTILE)('%s: a text of any length costs no more than the beginning that is read', (_name, make) => {
    const [long, longer] = [5_000, 50_000].map((size) => looks(() => solve(make(size), HERE)));
    expect(longer).toBeLessThanOrEqual((long ?? 0) + 200);
    expect(long).toBeLessThan(20_000);
  });

  test('the six of the specification are no questions', () => {
    const texts = [
      `${'('.repeat(150)}1${')'.repeat(150)}`,
      `${'1+'.repeat(199)}1`,
      '((((1*2'.repeat(50),
      'a 12 '.repeat(70),
      '三'.repeat(110),
    ];
    expect([...texts, '1,'.repeat(180)].map((text) => solve(text, HERE).shape)).toEqual(Array.from({ length: 6 }, () => 'none'));
  });

  test('politeness is taken off a bounded number of times', () => {
    const [once, twice] = [100, 200].map((count) => looks(() => normalise('please '.repeat(count))));
    expect(twice).toBeLessThanOrEqual((once ?? 0) * 2 + 20);
    expect(normalise('please '.repeat(100)).text.split(' ').length).toBeGreaterThan(80);
  });
});

describe('parentheses', () => {
  const nested = (depth: number): string => `${'('.repeat(depth)}1+1${')'.repeat(depth)}`;

  test('64 are read, 65 are too many', () => {
    expect([pure(nested(64)), pure(nested(65))]).toEqual(['2', 'out_of_range']);
  });

  test('too many that hold nothing are no question', () => {
    expect(pure('('.repeat(70))).toBeNull();
    expect(solveAsked('√'.repeat(900), HERE)).toBeNull();
  });
});

describe('work', () => {
  /** Of an expression, in multiplied bits; what was refused has not been done. */
  function spent(text: string): { readonly work: number; readonly code: string | null } {
    const parsed = readExpression(text);
    if (parsed === null) throw new Error(`${text} is no expression`);
    const budget = new Budget();
    let done = 0;
    const spend = budget.spend.bind(budget);
    vi.spyOn(budget, 'spend').mockImplementation((work) => {
      spend(work);
      done = budget.spent;
    });
    try {
      compute(parsed, budget);
      return { work: done, code: null };
    } catch (error) {
      if (error instanceof MathError) return { work: done, code: error.code };
      throw error;
    }
  }

  test.each([
    ['factorials', Array.from({ length: 30 }, () => '1000!').join('*')],
    ['a quotient of factorials', '999!/1000!+1'],
    ['powers over powers', `${'9^999/7^999+'.repeat(15)}1`],
    ['sines', Array.from({ length: 30 }, () => 'sin 1').join('+')],
    ['roots of roots', `${'√'.repeat(198)}2`],
    ['exponentials', Array.from({ length: 22 }, () => 'exp 999').join('*')],
    ['a tower', `${'2^'.repeat(90)}1`],
  ])('%s are refused before they cost too much', (_name, text) => {
    const { work, code } = spent(text);
    expect(code).toBe('out_of_range');
    expect(work).toBeLessThanOrEqual(24_000_000);
  });

  test('a root of a long number is found in few steps', () => {
    expect(spent(`(${'9'.repeat(150)})^(1/3)`)).toMatchObject({ code: null });
  });

  test('a power of a root is as bounded as any power', () => {
    expect(spent('(10^150)^(64/3)').code).toBe('out_of_range');
  });

  test('everyday sums cost next to nothing', () => {
    expect(spent('(3.5 + 1.5) * 4 - 2^10 / 7').work).toBeLessThan(100_000);
  });

  test('an exponent beyond any result is no number', () => {
    expect(pure('1e9999 * 2')).toBeNull();
    expect(pure('1e1200 * 1e1200 * 1e1200')).toBe('out_of_range');
  });
});
