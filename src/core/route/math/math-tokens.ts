import Fraction from 'fraction.js';
import { readChinesePhrase } from './chinese-words';
import { readEnglishParts, readEnglishPhrase } from './english-words';
import type { MathToken } from './expression';
import type { Token } from './tokens';

const SYMBOLS = new Map<string, MathToken>([
  ['+', { type: 'operator', operator: '+' }],
  ['-', { type: 'operator', operator: '-' }],
  ['*', { type: 'operator', operator: '*' }],
  ['/', { type: 'operator', operator: '/' }],
  ['^', { type: 'operator', operator: '^' }],
  ['**', { type: 'operator', operator: '^' }],
  ['(', { type: '(' }],
  [')', { type: ')' }],
  ['%', { type: '%' }],
  ['!', { type: '!' }],
  ['°', { type: '°' }],
  ['√', { type: 'function', name: 'sqrt' }],
  ['π', { type: 'constant', name: 'pi' }],
  ['τ', { type: 'constant', name: 'tau' }],
]);
const CURRENCY = '$€£¥₹';

/**
 * What a question's pieces mean in an expression; null where one of them means nothing there. A currency sign before a number is looked over.
 * `text` is the line that the pieces come from.
 */
export function toMathTokens(tokens: readonly Token[], text: string): readonly MathToken[] | null {
  const words = tokens.map(({ type, text: word }) => (type === 'word' ? word : ''));
  const result: MathToken[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token === undefined) break;
    const next = tokens[at + 1];
    if (token.value !== undefined) {
      const parts = readEnglishParts(words, at + 1);
      result.push(parts === null ? { type: 'number', value: token.value } : { type: 'share', value: token.value.div(new Fraction(parts)) });
      at += parts === null ? 1 : 3;
    } else if (token.type === 'word') {
      const phrase = readEnglishPhrase(words, at);
      // “3 x + 2” is algebra, not three times two.
      if (phrase === null || (token.text === 'x' && next?.type === 'symbol' && '+-*/^'.includes(next.text))) return null;
      if (phrase.token !== null) result.push(phrase.token);
      at += phrase.count;
    } else if (token.type === 'han') {
      const phrase = readChinesePhrase(text, token.start);
      if (phrase === null) return null;
      result.push(phrase.token);
      const end = token.start + phrase.length;
      while ((tokens[at]?.end ?? Infinity) <= end) at += 1;
    } else {
      const meaning = SYMBOLS.get(token.text);
      if (meaning !== undefined) result.push(meaning);
      else if (!CURRENCY.includes(token.text) || next?.type !== 'number') return null;
      at += 1;
    }
  }
  return result;
}
