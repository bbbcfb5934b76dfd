import type { MarkdownIt } from 'markdown-it';

/**
 * Characters that may be searched for the ends of labels in one block. The parser looks for an end from every opening bracket, so that ten
 * thousand brackets in a row would cost it half a second; what people and models write stays far below.
 */
const SEARCHED_CHARACTERS = 1_000_000;

/** Once a block has used up its search, its further brackets are text. */
export function labelLimit(parser: MarkdownIt): void {
  const search = parser.helpers.parseLinkLabel;
  const searched = new WeakMap<object, number>();
  parser.helpers.parseLinkLabel = (state, start, disableNested) => {
    if ((searched.get(state.env) ?? 0) > SEARCHED_CHARACTERS) return -1;
    const end = search(state, start, disableNested);
    // Looked up again: labels inside this one were searched meanwhile.
    searched.set(state.env, (searched.get(state.env) ?? 0) + (end < 0 ? state.posMax : end) - start);
    return end;
  };
}
