import type { MathToken } from './expression';

/** What Chinese words mean in an expression, the longer before those they begin with. */
const PHRASES: readonly (readonly [word: string, token: MathToken])[] = [
  ['加上', { type: 'operator', operator: '+' }],
  ['加', { type: 'operator', operator: '+' }],
  ['减去', { type: 'operator', operator: '-' }],
  ['减掉', { type: 'operator', operator: '-' }],
  ['减', { type: 'operator', operator: '-' }],
  ['乘以', { type: 'operator', operator: '*' }],
  ['乘上', { type: 'operator', operator: '*' }],
  ['乘', { type: 'operator', operator: '*' }],
  ['除以', { type: 'operator', operator: '/' }],
  ['除', { type: 'operator', operator: 'swapped' }],
  ['取模', { type: 'operator', operator: 'mod' }],
  ['取余', { type: 'operator', operator: 'mod' }],
  ['模', { type: 'operator', operator: 'mod' }],
  ['百分之', { type: 'percent-prefix' }],
  ['分之', { type: 'parts' }],
  ['次方', { type: 'to-power' }],
  ['次幂', { type: 'to-power' }],
  ['平方根', { type: 'applied', name: 'sqrt' }],
  ['立方根', { type: 'applied', name: 'cbrt' }],
  ['绝对值', { type: 'applied', name: 'abs' }],
  ['平方', { type: 'power', exponent: 2n }],
  ['立方', { type: 'power', exponent: 3n }],
  ['阶乘', { type: '!' }],
  ['根号', { type: 'function', name: 'sqrt' }],
  ['正弦', { type: 'function', name: 'sin' }],
  ['余弦', { type: 'function', name: 'cos' }],
  ['正切', { type: 'function', name: 'tan' }],
  ['左括号', { type: '(' }],
  ['右括号', { type: ')' }],
  ['圆周率', { type: 'constant', name: 'pi' }],
  ['负', { type: 'negative' }],
  ['的', { type: 'of' }],
  ['度', { type: '°' }],
];

/** The longest word at `from` (UTF-16 offset), its meaning and its length; null where it is unknown. */
export function readChinesePhrase(text: string, from: number): { readonly token: MathToken; readonly length: number } | null {
  const found = PHRASES.find(([word]) => text.startsWith(word, from));
  return found === undefined ? null : { token: found[1], length: found[0].length };
}
