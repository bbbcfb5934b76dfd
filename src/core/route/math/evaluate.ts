import { Decimal } from 'decimal.js';
import Fraction from 'fraction.js';
import { MathError } from './answer';
import type { Budget } from './budget';
import type { Expression } from './expression';
import { applyFunction, constant, isZero, Precise, realPower, toDecimal, type Value } from './functions';
import { combine, factorial, integerPower, type RationalOperator } from './rational';

const HUNDRED = new Fraction(100n);
/** Arithmetic on irrational values is cheap beside their making. */
const DECIMAL_WORK = 10_000;

/** Works an expression out, exactly while it can. Throws `MathError`; never runs past the budget. */
export function evaluate(expression: Expression, isDegrees: boolean, budget: Budget): Value {
  const valueOf = (part: Expression): Value => evaluate(part, isDegrees, budget);
  switch (expression.type) {
    case 'number':
      return expression.value;
    case 'constant':
      return constant(expression.name);
    case 'negative':
      return valueOf(expression.operand).neg();
    case 'percent':
      return arithmetic('/', valueOf(expression.operand), HUNDRED, budget);
    case 'factorial': {
      const operand = valueOf(expression.operand);
      if (operand instanceof Decimal) throw new MathError('domain');
      return factorial(operand, budget);
    }
    case 'call':
      return applyFunction(expression.name, valueOf(expression.operand), isDegrees, budget);
    case 'binary': {
      const left = valueOf(expression.left);
      const right = valueOf(expression.right);
      if (expression.operator === '^') return power(left, right, budget);
      const isSum = expression.operator === '+' || expression.operator === '-';
      // 150 + 20% is 20% more than 150; two percentages add up as they are.
      const isRelative = isSum && expression.right.type === 'percent' && expression.left.type !== 'percent';
      return arithmetic(expression.operator, left, isRelative ? arithmetic('*', left, right, budget) : right, budget);
    }
  }
}

function power(base: Value, exponent: Value, budget: Budget): Value {
  if (base instanceof Fraction && exponent instanceof Fraction && exponent.d === 1n)
    return integerPower(base, exponent.s * exponent.n, budget);
  return realPower(base, exponent, budget);
}

function arithmetic(operator: RationalOperator, left: Value, right: Value, budget: Budget): Value {
  if (left instanceof Fraction && right instanceof Fraction) return combine(operator, left, right, budget);
  budget.spend(DECIMAL_WORK);
  const [a, b] = [toDecimal(left), toDecimal(right)];
  switch (operator) {
    case '+':
      return settled(a.add(b), a);
    case '-':
      return settled(a.sub(b), a);
    case '*':
      return a.mul(b);
    case '/':
      if (isZero(right)) throw new MathError('division_by_zero');
      return a.div(b);
    case 'mod':
      if (isZero(right)) throw new MathError('division_by_zero');
      return settled(a.sub(b.mul(a.div(b).floor())), a);
  }
}

/** A difference of what is equal but for rounding is nothing: sqrt(2) - 2^0.5. */
function settled(difference: Decimal, operand: Decimal): Decimal {
  return difference.abs().lt(operand.abs().mul('1e-28')) ? new Precise(0) : difference;
}
