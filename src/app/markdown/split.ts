import { findBlockStarts } from './parser';

/** A top-level block as text, at its offset in what was split. */
export interface TextBlock {
  readonly offset: number;
  readonly source: string;
}

/** A text cut into top-level blocks. */
export interface SplitText {
  /** Blocks that no later character can change. */
  readonly finished: readonly TextBlock[];
  /** Blocks that may still change, the last one always among them. */
  readonly unfinished: readonly TextBlock[];
}

// What may begin a formula that reaches over the begin of other blocks, once its end arrives.
const MAY_OPEN_FORMULA = /\$\$|\\\[/;

/** Where each line of `text` begins. */
export function lineOffsets(text: string): readonly number[] {
  const offsets = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) offsets.push(at + 1);
  return offsets;
}

/**
 * Cuts `text` where its top-level blocks begin. A block is finished when the next one begins on a line that has arrived in full, and either a
 * blank line stands between them or nothing before can still reach over that begin: a formula without its end, or a link definition that may
 * get a title. Parsing each block alone gives what parsing the whole text gives.
 */
export function splitText(text: string): SplitText {
  const lines = lineOffsets(text);
  const starts = findBlockStarts(text);
  // The first block takes what stands before it, so that the pieces together are the text.
  const cuts = starts.map(({ line }, at) => (at === 0 ? 0 : (lines[line] ?? text.length)));
  const blocks = cuts.map((offset, at) => ({ offset, source: text.slice(offset, cuts[at + 1] ?? text.length) }));
  const lastComplete = text.lastIndexOf('\n');
  let finished = 0;
  for (let at = 1; at < blocks.length; at++) {
    const offset = cuts[at] ?? text.length;
    if (offset > lastComplete) break;
    const hasBlankBefore = /\n[ \t]*\n$/.test(text.slice(Math.max(0, offset - 200), offset));
    const previous = starts[at - 1];
    // A table is one only by its second line, and by it takes the first line away from a paragraph above; likewise a formula by its last.
    const lineEnd = text.indexOf('\n', offset);
    const isSettled = lineEnd < lastComplete && previous?.type !== 'definition';
    if (hasBlankBefore || (isSettled && !MAY_OPEN_FORMULA.test(text.slice(cuts[finished] ?? 0, lineEnd)))) finished = at;
  }
  return { finished: blocks.slice(0, finished), unfinished: blocks.slice(finished) };
}
