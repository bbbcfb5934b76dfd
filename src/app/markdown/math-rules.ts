import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

const DOLLAR = 0x24;
const BACKSLASH = 0x5c;
const OPEN_ROUND = 0x28;
const OPEN_SQUARE = 0x5b;

/** What a formula's token carries in `meta`. */
export interface FormulaMeta {
  readonly tex: string;
  readonly source: string;
  readonly display: boolean;
}

interface Found extends FormulaMeta {
  readonly end: number;
}

const isBlank = (character: string): boolean => character === '' || /\s/.test(character);

/** What only a formula has. */
const FORMULA_SIGN = /[\\^_={}]/;
// "5 and she has 10", "5; the other costs 6", "5/month, or 6", "5，还剩5": an amount in a sentence.
const AMOUNT_IN_WORDS = [
  /^\d[\d.,]*[kmb]?\s+\p{L}{2}/iu,
  /^\d[^]*(?:\s["'(“]?\p{L}{3}|[,;:]\s+\p{L}{2}|\s\(\p{L}{2})/u,
  /^\d[^]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
];
const WORDS = /\p{L}{3}\s+\p{L}{3}/u;
// "$HOME/$USER", "$first, $second" without the blank: the second dollar begins the next name.
const BEFORE_NEXT_NAME = /[/:;,.@"'(-]$/;

/** Whether what stands between two dollars is a part of a sentence that happens to lie between two amounts or names. */
function isSentence(tex: string): boolean {
  if (FORMULA_SIGN.test(tex.replaceAll('\\$', ''))) return false;
  return WORDS.test(tex) || AMOUNT_IN_WORDS.some((pattern) => pattern.test(tex));
}

/** Whether the dollar after `tex` rather begins something of its own, to go by what `follows` it. */
function beginsNext(tex: string, follows: string): boolean {
  return /[\d${]/.test(follows) || (/\p{L}/u.test(follows) && BEFORE_NEXT_NAME.test(tex));
}

/** The next `mark` that is neither escaped nor followed by nothing; -1 when there is none before `limit` or code begins first. */
function findMark(source: string, mark: string, from: number, limit: number): number {
  for (let position = from; position < limit; position++) {
    const code = source.charCodeAt(position);
    // A backtick would begin code, and code wins over formulas whatever stands inside it.
    if (code === 0x60) return -1;
    if (source.startsWith(mark, position)) return position + mark.length <= limit ? position : -1;
    if (code === BACKSLASH) position++;
  }
  return -1;
}

function dollarFormula(source: string, start: number, limit: number): Found | null {
  const before = source.charAt(start - 1);
  if (source.charCodeAt(start + 1) === DOLLAR) {
    const end = findMark(source, '$$', start + 2, limit);
    const tex = source.slice(start + 2, end);
    if (end < 0 || tex.trim() === '' || (/^\d/.test(tex) && /\d/.test(source.charAt(end + 2)))) return null;
    return { tex: tex.trim(), source: source.slice(start, end + 2), display: true, end: end + 2 };
  }
  if (/[\p{L}\p{N}$]/u.test(before) && !/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(before)) return null;
  if (isBlank(source.charAt(start + 1))) return null;
  // The next dollar decides: a formula holds none, so a search beyond it would only join two prices.
  const end = findMark(source, '$', start + 1, limit);
  if (end <= start + 1 || isBlank(source.charAt(end - 1))) return null;
  const tex = source.slice(start + 1, end);
  if (beginsNext(tex, source.charAt(end + 1)) || isSentence(tex)) return null;
  return { tex, source: source.slice(start, end + 1), display: false, end: end + 1 };
}

function bracketFormula(source: string, start: number, limit: number): Found | null {
  const display = source.charCodeAt(start + 1) === OPEN_SQUARE;
  const close = display ? '\\]' : '\\)';
  const end = findMark(source, close, start + 2, limit);
  const tex = source.slice(start + 2, Math.max(end, start + 2));
  // `\[text\](address)` is a link whose brackets were escaped on purpose.
  if (end < 0 || tex.trim() === '' || (display && source.charCodeAt(end + 2) === OPEN_ROUND)) return null;
  return { tex: tex.trim(), source: source.slice(start, end + 2), display, end: end + 2 };
}

/** The formula that begins at `start`, or null where the characters are ordinary text: prices, escapes, code. */
export function readFormula(source: string, start: number, limit: number): Found | null {
  const first = source.charCodeAt(start);
  if (first === DOLLAR) return dollarFormula(source, start, limit);
  return isBracketOpening(source, start) ? bracketFormula(source, start, limit) : null;
}

function isBracketOpening(source: string, start: number): boolean {
  if (source.charCodeAt(start) !== BACKSLASH) return false;
  const next = source.charCodeAt(start + 1);
  return next === OPEN_ROUND || next === OPEN_SQUARE;
}

// Openings that found no end, by their two characters. Without it a text of nothing but `\(` is searched to its end from every one of them.
const withoutEnd = new WeakMap<StateInline, Map<string, number>>();

function readOnce(state: StateInline): Found | null {
  if (!isBracketOpening(state.src, state.pos)) return readFormula(state.src, state.pos, state.posMax);
  const known = withoutEnd.get(state) ?? new Map<string, number>();
  const opening = state.src.slice(state.pos, state.pos + 2);
  if (state.pos < (known.get(opening) ?? 0)) return null;
  const found = readFormula(state.src, state.pos, state.posMax);
  if (found === null) {
    const close = findMark(state.src, opening === '\\(' ? '\\)' : '\\]', state.pos + 2, state.posMax);
    const code = state.src.indexOf('`', state.pos);
    withoutEnd.set(state, known.set(opening, close >= 0 ? close : code >= 0 ? code : state.posMax));
  }
  return found;
}

function inlineFormula(state: StateInline, silent: boolean): boolean {
  const found = readOnce(state);
  if (found === null) {
    // A pair that opens nothing must not be read again from its second dollar.
    if (!state.src.startsWith('$$', state.pos)) return false;
    if (!silent) state.pending += '$$';
    state.pos += 2;
    return true;
  }
  if (!silent) state.push('formula', '', 0).meta = { tex: found.tex, source: found.source, display: found.display };
  state.pos = found.end;
  return true;
}

const lineText = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();

/**
 * A formula on lines of its own. It holds no blank line, as in TeX: so a lone `$$` swallows at most one paragraph, and a paragraph above it
 * can be taken as finished while the rest is still arriving.
 */
function blockFormula(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineText(state, startLine);
  const close = first.startsWith('$$') ? '$$' : first.startsWith('\\[') ? '\\]' : null;
  if (close === null) return false;
  const lines: string[] = [];
  for (let line = startLine; line < endLine; line++) {
    const text = line === startLine ? first.slice(2) : lineText(state, line);
    if (line > startLine && (text === '' || (state.sCount[line] ?? 0) < state.blkIndent || text.startsWith('\\['))) return false;
    const end = findMark(text, close, 0, text.length);
    if (end < 0) {
      lines.push(text);
      continue;
    }
    if (end + 2 !== text.length) return false;
    lines.push(text.slice(0, end));
    const tex = lines.join('\n').trim();
    if (tex === '') return false;
    if (silent) return true;
    state.line = line + 1;
    const token = state.push('formula_block', '', 0);
    token.block = true;
    token.map = [startLine, state.line];
    token.meta = { tex, source: `${first.slice(0, 2)}${lines.join('\n')}${close}`, display: true };
    return true;
  }
  return false;
}

/** Teaches the parser `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. */
export function mathRules(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'formula', inlineFormula);
  parser.block.ruler.before('fence', 'formula_block', blockFormula, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
}
