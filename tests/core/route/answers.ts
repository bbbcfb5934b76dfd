import type { MathAnswer } from '../../../src/core/route/math/answer';
import { solve } from '../../../src/core/route/math/solve';

/** Saturday, 14 March 2026, 09:26 in Shanghai. */
export const HERE = { now: Date.parse('2026-03-14T09:26:00+08:00'), zone: 'Asia/Shanghai' };

/** An answer in one line: its value, unit or weekday; `~` marks a rounded one, and an error is its code. */
export function inOneLine(answer: MathAnswer): string {
  switch (answer.type) {
    case 'error':
      return answer.code;
    case 'date':
      return `${answer.value} ${answer.weekday}`;
    case 'weekday':
      return `${answer.value} ${answer.date}`;
    default:
      return [answer.value, answer.unit, answer.approximate ? '~' : undefined].filter((part) => part !== undefined).join(' ');
  }
}

/** What `solve` makes of a whole text, in one line; null where it is no question of its own. */
export function pure(text: string): string | null {
  const solution = solve(text, HERE);
  return solution.shape === 'pure' ? inOneLine(solution.answer) : null;
}
