import Fraction from 'fraction.js';
import type { Expression, MathToken, Parsed } from './expression';
import type { RationalOperator } from './rational';

/** Parses the whole list of words; null where it is no expression. Parentheses must have been counted: it goes down once for each. */
export function parseExpression(tokens: readonly MathToken[]): Parsed | null {
  const parser = new Parser(tokens);
  const expression = parser.sum();
  if (expression === null || !parser.isAtEnd) return null;
  return { expression, operations: parser.operations, isDegrees: tokens.some(({ type }) => type === '°') };
}

/** Goes through the words once; each method reads the longest piece of its kind, or gives null. */
class Parser {
  readonly tokens: readonly MathToken[];
  operations = 0;
  #at = 0;

  constructor(tokens: readonly MathToken[]) {
    this.tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.tokens.length;
  }

  sum(): Expression | null {
    let left = this.#product();
    for (;;) {
      const operator = this.#operator('+', '-');
      if (left === null || operator === null) return left;
      const right = this.#product();
      if (right === null) return null;
      left = this.#binary(operator, left, right);
    }
  }

  #product(): Expression | null {
    let left = this.#unary();
    for (;;) {
      if (left === null) return null;
      const operator = this.#operator('*', '/', 'mod', 'swapped');
      if (operator === null && !this.#isImplied(left)) return left;
      const right = this.#unary();
      if (right === null) return null;
      // “2e” alone names all kinds of things.
      if (operator === null && right.type === 'constant' && right.name === 'e') this.operations -= 1;
      left = operator === 'swapped' ? this.#binary('/', right, left) : this.#binary(operator ?? '*', left, right);
    }
  }

  /** A product without a sign: before a parenthesis, a constant or a function, and where “of” or 的 follows or precedes a share. */
  #isImplied(left: Expression): boolean {
    const next = this.tokens[this.#at];
    if (next === undefined) return false;
    if (next.type === '%' && this.#canBegin(this.#at + 1)) return false;
    if (next.type === 'of') {
      const isShare = left.type === 'percent' || (left.type === 'number' && left.value.d !== 1n) || this.#isShareAt(this.#at + 1);
      if (isShare) this.#at += 1;
      return isShare;
    }
    return next.type === '(' || next.type === 'constant' || next.type === 'function';
  }

  /** Whether a percentage or a fraction in Chinese words stands there: the Y of “X的Y”. */
  #isShareAt(at: number): boolean {
    if (this.tokens[at]?.type === 'percent-prefix') return true;
    const next = this.tokens[at + 1]?.type;
    return this.tokens[at]?.type === 'number' && (next === '%' || next === 'parts');
  }

  #unary(): Expression | null {
    let isNegative = false;
    for (;;) {
      const token = this.tokens[this.#at];
      const isMinus = token?.type === 'negative' || (token?.type === 'operator' && token.operator === '-');
      if (!isMinus && !(token?.type === 'operator' && token.operator === '+')) break;
      isNegative = isMinus ? !isNegative : isNegative;
      this.#at += 1;
    }
    const token = this.tokens[this.#at];
    const operand = token?.type === 'share' ? this.#share(token.value) : this.#power();
    return operand !== null && isNegative ? { type: 'negative', operand } : operand;
  }

  #share(value: Fraction): Expression | null {
    this.#at += 1;
    const operand = this.#unary();
    return operand === null ? null : this.#binary('*', { type: 'number', value }, operand);
  }

  #power(): Expression | null {
    const base = this.#postfix();
    if (base === null || this.#operator('^') === null) return base;
    const exponent = this.#unary();
    return exponent === null ? null : this.#binary('^', base, exponent);
  }

  /** What is written behind a value: `!`, `%`, degrees, “squared”, 的N次方, 的平方根. */
  #postfix(): Expression | null {
    let operand = this.#primary();
    while (operand !== null) {
      const after = this.#after(operand);
      if (after === null) return operand;
      operand = after;
    }
    return null;
  }

  #after(operand: Expression): Expression | null {
    const isOf = this.tokens[this.#at]?.type === 'of';
    const at = isOf ? this.#at + 1 : this.#at;
    const token = this.tokens[at];
    const numbered = this.#numberedPower(at);
    if (numbered !== null) {
      this.#at = numbered.end;
      return this.#binary('^', operand, numbered.exponent);
    }
    if (token === undefined || (isOf && token.type !== 'power' && token.type !== 'applied' && token.type !== '!')) return null;
    if (token.type === '%' && this.#canBegin(at + 1)) return null;
    if (token.type !== 'power' && token.type !== 'applied' && token.type !== '!' && token.type !== '%' && token.type !== '°') return null;
    this.#at = at + 1;
    if (token.type === '°') return operand;
    if (token.type === '%') return { type: 'percent', operand };
    if (token.type === 'power') return this.#binary('^', operand, { type: 'number', value: new Fraction(token.exponent) });
    this.operations += 1;
    return token.type === 'applied' ? { type: 'call', name: token.name, operand } : { type: 'factorial', operand };
  }

  /** 的10次方: a number, then the word for “power”. */
  #numberedPower(at: number): { readonly exponent: Expression; readonly end: number } | null {
    const isNegative = this.tokens[at]?.type === 'negative';
    const number = this.tokens[isNegative ? at + 1 : at];
    const end = isNegative ? at + 2 : at + 1;
    if (number?.type !== 'number' || this.tokens[end]?.type !== 'to-power') return null;
    const exponent: Expression = { type: 'number', value: isNegative ? number.value.neg() : number.value };
    return { exponent, end: end + 1 };
  }

  #primary(): Expression | null {
    const token = this.tokens[this.#at];
    if (token === undefined) return null;
    this.#at += 1;
    switch (token.type) {
      case 'number':
        return this.#fractionInWords(token.value);
      case 'constant':
        return { type: 'constant', name: token.name };
      case 'function': {
        this.operations += 1;
        const operand = this.tokens[this.#at]?.type === 'operator' ? this.#unary() : this.#functionOperand();
        return operand === null ? null : { type: 'call', name: token.name, operand };
      }
      case 'percent-prefix': {
        const operand = this.#primary();
        return operand === null ? null : { type: 'percent', operand };
      }
      case '(': {
        const inner = this.sum();
        if (inner === null || this.tokens[this.#at]?.type !== ')') return null;
        this.#at += 1;
        return inner;
      }
      default:
        return null;
    }
  }

  /** A function without parentheses takes the next power: sqrt 2^4, sin 30°; with them, what is in them: sqrt(16)^2 is 16. */
  #functionOperand(): Expression | null {
    return this.tokens[this.#at]?.type === '(' ? this.#primary() : this.#power();
  }

  /** 三分之一: the denominator is said first. */
  #fractionInWords(value: Fraction): Expression | null {
    if (this.tokens[this.#at]?.type !== 'parts') return { type: 'number', value };
    const numerator = this.tokens[this.#at + 1];
    if (numerator?.type !== 'number' || value.n === 0n) return null;
    this.#at += 2;
    return { type: 'number', value: numerator.value.div(value) };
  }

  #operator<Operator extends '+' | '-' | '*' | '/' | 'mod' | '^' | 'swapped'>(...operators: readonly Operator[]): Operator | null {
    const token = this.tokens[this.#at];
    if (token?.type === '%' && this.#canBegin(this.#at + 1)) return this.#taken(operators.find((operator) => operator === 'mod'));
    return token?.type === 'operator' ? this.#taken(operators.find((operator) => operator === token.operator)) : null;
  }

  #taken<Operator>(operator: Operator | undefined): Operator | null {
    if (operator === undefined) return null;
    this.#at += 1;
    return operator;
  }

  /** Whether a value begins there, so that a `%` before it divides. A sign does not tell: 5% - 3. */
  #canBegin(at: number): boolean {
    const type = this.tokens[at]?.type;
    return type === 'number' || type === '(' || type === 'constant' || type === 'function' || type === 'share';
  }

  #binary(operator: RationalOperator | '^', left: Expression, right: Expression): Expression {
    this.operations += 1;
    return { type: 'binary', operator, left, right };
  }
}
