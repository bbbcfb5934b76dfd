import type { MarkdownIt, StateBlock } from 'markdown-it';

/**
 * How deep quotes and lists are drawn in one another; a list counts twice, for itself and its items. Deeper ones would leave no room for words
 * on a phone, and cost a browser more with each level.
 */
const DEEPEST_LEVEL = 16;

/** Everything in a container that lies too deep is one paragraph, marks and all. The parser itself would drop it from level 100 on. */
function flatten(state: StateBlock, startLine: number, endLine: number): boolean {
  if (state.level < DEEPEST_LEVEL) return false;
  const end = containerEnd(state, startLine, endLine);
  const opening = state.push('paragraph_open', 'p', 1);
  opening.map = [startLine, end];
  const words = state.push('inline', '', 0);
  words.content = state.getLines(startLine, end, state.blkIndent, false).trim();
  words.map = [startLine, end];
  words.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = end;
  return true;
}

/** A list ends by what stands further to the left; `endLine` is only the end of the quote around it, or of the text. */
function containerEnd(state: StateBlock, startLine: number, endLine: number): number {
  for (let line = startLine + 1; line < endLine; line++) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return line;
  }
  return endLine;
}

/** Draws what is nested beyond all sense flat, so that no word of it is lost. */
export function depthLimit(parser: MarkdownIt): void {
  parser.block.ruler.before('table', 'depth_limit', flatten, { alt: [] });
}
