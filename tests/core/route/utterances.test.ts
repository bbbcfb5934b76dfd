import { describe, expect, test } from 'vitest';
import type { MathAnswer } from '../../../src/core/route/math/answer';
import { solve } from '../../../src/core/route/math/solve';
import { hasFixtures, readFixture } from '../../support/fixtures';

/** The clock that the collection was written at. */
const NOW = Date.parse('2026-03-14T09:26:00+08:00');
const ZONE = 'Asia/Shanghai';

interface Utterance {
  readonly text: string;
  readonly route: string;
  readonly expect: Readonly<Record<string, unknown>>;
}

const utterances: readonly Utterance[] = hasFixtures
  ? readFixture('router/utterances.jsonl')
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Utterance => JSON.parse(line))
  : [];

const KINDS = { quantity: 'unit', date: 'date', weekday: 'date', days: 'date' } as const;

/** An answer in the words of the collection. */
function described(answer: MathAnswer): Record<string, string> {
  if (answer.type === 'error') return { kind: 'arith', error: answer.code };
  const kind = answer.type === 'value' ? answer.kind : KINDS[answer.type];
  const unit = answer.type === 'weekday' ? 'weekday' : 'unit' in answer ? answer.unit : undefined;
  return { kind, value: answer.value, ...(unit === undefined ? {} : { unit: unit.toLowerCase() }) };
}

describe.runIf(hasFixtures)('the collected utterances', () => {
  test('they are there', () => {
    expect(utterances.filter(({ route }) => route === 'math').length).toBeGreaterThan(80);
    expect(utterances.filter(({ route }) => route !== 'math').length).toBeGreaterThan(180);
  });

  test.each(utterances.filter(({ route }) => route === 'math'))('$text', ({ text, expect: wanted }) => {
    const solution = solve(text, { now: NOW, zone: ZONE });
    expect(solution.shape).toBe(wanted['shape'] ?? 'pure');
    const answer = solution.shape === 'pure' ? solution.answer : solution.shape === 'embedded' ? solution.answers[0] : undefined;
    if (answer === undefined) throw new Error(`no answer to ${text}`);
    const keys = ['kind', 'value', 'unit', 'error'].filter((key) => key in wanted);
    const lower = Object.fromEntries(keys.map((key) => [key, key === 'value' ? wanted[key] : String(wanted[key]).toLowerCase()]));
    expect(described(answer)).toMatchObject(lower);
  });

  test.each(utterances.filter(({ route }) => route !== 'math'))('is no math: $text', ({ text }) => {
    expect(solve(text, { now: NOW, zone: ZONE })).toEqual({ shape: 'none' });
  });
});
