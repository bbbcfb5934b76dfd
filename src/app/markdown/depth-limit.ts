import type { MarkdownIt, StateBlock } from 'markdown-it';

/**
 * How deep quotes and lists are drawn in one another; a list counts twice, for itself and its items. Deeper ones would leave no room for words
 * on a phone, and cost a browser more with each level.
 */
const DEEPEST_LEVEL = 16;

/** Everything in a container that lies too deep is one paragraph, marks and all. The parser itself would drop it from level 100 on. */
function flatten(state: StateBlock, startLine: number, endLine: number): boolean {
  if (state.level < DEEPEST_LEVEL) return false;
  const opening = state.push('paragraph_open', 'p', 1);
  opening.map = [startLine, endLine];
  const words = state.push('inline', '', 0);
  words.content = state.getLines(startLine, endLine, state.blkIndent, false).trim();
  words.map = [startLine, endLine];
  words.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = endLine;
  return true;
}

/** Draws what is nested beyond all sense flat, so that no word of it is lost. */
export function depthLimit(parser: MarkdownIt): void {
  parser.block.ruler.before('table', 'depth_limit', flatten, { alt: [] });
}
