import type { MarkdownIt, StateInline, Token } from 'markdown-it';
import footnote from 'markdown-it-footnote';

const CARET = 0x5e;
const OPEN_SQUARE = 0x5b;

// By the environment of a parse.
const inPlace = new WeakMap<object, (readonly Token[])[]>();

/** Takes `[^label]` whether or not the label is defined yet: the definition comes last in a stream, and the reference must not change by it. */
function footnoteReference(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('[^', state.pos)) return false;
  const end = state.src.indexOf(']', state.pos);
  if (end <= state.pos + 2 || end >= state.posMax) return false;
  const label = state.src.slice(state.pos + 2, end);
  if (/[\s[\]]/.test(label)) return false;
  if (!silent) state.push('footnote_ref', '', 0).meta = { label };
  state.pos = end + 1;
  return true;
}

/** Takes `^[text]`. Searches the end of the text as links do, so that the limit of their search holds here too. */
function footnoteInPlace(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== CARET || state.src.charCodeAt(state.pos + 1) !== OPEN_SQUARE) return false;
  const { posMax } = state;
  const end = state.md.helpers.parseLinkLabel(state, state.pos + 1);
  if (end < 0) return false;
  if (!silent) {
    const footnotes = inPlace.get(state.env) ?? [];
    inPlace.set(state.env, footnotes);
    const tokens: Token[] = [];
    const id = footnotes.length;
    // Its place is taken before its text is read: the text may hold another one.
    footnotes.push(tokens);
    state.md.inline.parse(state.src.slice(state.pos + 2, end), state.md, state.env, tokens);
    state.push('footnote_ref', '', 0).meta = { id };
  }
  state.pos = end + 1;
  state.posMax = posMax;
  return true;
}

/** Contents of the footnotes that a parse with `environment` found written in place, in the order of the `id` of their references. */
export function footnotesInPlace(environment: object): readonly (readonly Token[])[] {
  return inPlace.get(environment) ?? [];
}

/** Teaches the parser footnotes; their list is made elsewhere, over all blocks. */
export function footnoteRules(parser: MarkdownIt): void {
  parser.use(footnote);
  parser.inline.ruler.at('footnote_ref', footnoteReference);
  parser.inline.ruler.at('footnote_inline', footnoteInPlace);
  parser.core.ruler.disable('footnote_tail');
}
