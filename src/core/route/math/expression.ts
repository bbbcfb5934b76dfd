import type Fraction from 'fraction.js';
import type { ConstantName, FunctionName } from './functions';
import type { RationalOperator } from './rational';

/** What was written, as a tree. A percentage is b/100, but relative as the right side of a sum. */
export type Expression =
  | { readonly type: 'number'; readonly value: Fraction }
  | { readonly type: 'constant'; readonly name: ConstantName }
  | { readonly type: 'negative' | 'percent' | 'factorial'; readonly operand: Expression }
  | { readonly type: 'binary'; readonly operator: RationalOperator | '^'; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'call'; readonly name: FunctionName; readonly operand: Expression };

/** The words of the grammar, whatever the language. `swapped` divides the other way round (A除B is B/A); `share` is “half of”. */
export type MathToken =
  | { readonly type: 'number'; readonly value: Fraction }
  | { readonly type: 'constant'; readonly name: ConstantName }
  | { readonly type: 'function'; readonly name: FunctionName }
  | { readonly type: 'share'; readonly value: Fraction }
  | { readonly type: 'power'; readonly exponent: bigint }
  | { readonly type: 'applied'; readonly name: FunctionName }
  | { readonly type: 'operator'; readonly operator: '+' | '-' | '*' | '/' | 'mod' | '^' | 'swapped' }
  | { readonly type: 'of' | 'to-power' | 'parts' | 'percent-prefix' | '(' | ')' | '%' | '!' | '°' | 'negative' };

/** A parsed expression. `operations` counts operators and functions, signs and degrees aside; `isDegrees`: degrees were said. */
export interface Parsed {
  readonly expression: Expression;
  readonly operations: number;
  readonly isDegrees: boolean;
}
