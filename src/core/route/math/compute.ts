import { Decimal } from 'decimal.js';
import type Fraction from 'fraction.js';
import { MathError, type Printed } from './answer';
import type { Budget } from './budget';
import { evaluate } from './evaluate';
import type { MathToken, Parsed } from './expression';
import type { Value } from './functions';
import { toMathTokens } from './math-tokens';
import { parseExpression } from './parse-expression';
import { printDecimal, printFraction } from './print';
import { tokenise } from './tokens';

/** Parentheses may be so deep. */
const MAX_DEPTH = 64;

/** The expression that a whole line is; null where it is none. Throws `out_of_range` where its parentheses are deeper than 64. */
export function readExpression(text: string): Parsed | null {
  const tokens = tokenise(text);
  const words = tokens === null ? null : toMathTokens(tokens, text);
  const depth = words === null ? null : depthOf(words);
  if (words === null || depth === null) return null;
  if (depth > MAX_DEPTH) throw new MathError('out_of_range');
  return parseExpression(words);
}

/** Works an expression out. Throws `MathError`. */
export function compute(parsed: Parsed, budget: Budget): Value {
  return evaluate(parsed.expression, parsed.isDegrees, budget);
}

/** Prints what came out. */
export function printValue(value: Value): Printed {
  return value instanceof Decimal ? printDecimal(value) : printFraction(value);
}

/** The exact number that a whole text is, with a sign, a currency sign or a fraction bar; null where it is anything else. */
export function readAmount(text: string): Fraction | null {
  const bare = text
    .trim()
    .replace(/^[$€£¥₹] ?/, '')
    .replace(/ ?(?:元|块钱?|dollars?|euros?|usd|eur|pounds)$/, '');
  const isNegative = /^(?:-|负|minus |negative )/.test(bare);
  const tokens = tokenise(bare.replace(/^(?:-|负|minus |negative )/, '').trim());
  const [first, bar, last] = tokens ?? [];
  const sign = isNegative ? -1n : 1n;
  if (first?.value === undefined) return null;
  if (tokens?.length === 1) return first.value.mul(sign);
  if (tokens?.length !== 3 || bar?.text !== '/' || last?.value === undefined || last.value.n === 0n) return null;
  return first.value.div(last.value).mul(sign);
}

/** How deep the parentheses go; null where they don't match. */
function depthOf(tokens: readonly MathToken[]): number | null {
  let depth = 0;
  let deepest = 0;
  for (const { type } of tokens) {
    if (type === '(') depth += 1;
    if (type === ')') depth -= 1;
    if (depth < 0) return null;
    deepest = Math.max(deepest, depth);
  }
  return depth === 0 ? deepest : null;
}
