import { findBlockStarts } from './parser';
import type { TextBlock } from './split';
import { lineOffsets, splitText } from './split';

/**
 * A block that goes on beyond this many characters is cut where one of its parts begins, so that what is parsed and drawn in one go stays
 * small; where there is no such place, beyond twice as many, and so on. Decided by the characters before it alone: a text ends the same however
 * it arrived.
 */
const CUT_BEYOND_CHARACTERS = 8_192;
/** So is one with this many marks of formulas: each costs a browser as much as a page of words. */
const CUT_BEYOND_FORMULA_MARKS = 160;
/** With more words than this a block that can't be cut is no prose; it is shown as it is written, because no reader needs its markup. */
export const LARGEST_BLOCK_CHARACTERS = 65_536;

/** Blocks taken from the begin of a text. */
export interface TakenBlocks {
  /** Blocks that no later character can change, or that were cut off. */
  readonly finished: readonly TextBlock[];
  /** Blocks that may still change; there are none while more can be taken. */
  readonly unfinished: readonly TextBlock[];
  /** Where what was not taken begins. */
  readonly end: number;
  /** There is more to take at `end`. */
  readonly hasMore: boolean;
  /** Set where a block was cut at `end`: what has to stand before the rest so that it is read as a part of the same block. */
  readonly head: string | null;
  /** So many characters from the begin need not be looked at again as long as nothing is taken. */
  readonly searched: number;
}

/**
 * The next blocks of `text`, `mayGrow` while more of it may come. `searched` is what the former call for the same begin gave. Taking all from
 * each `end` on gives the same blocks for every way in which the text can have grown.
 */
export function takeBlocks(text: string, mayGrow: boolean, searched: number): TakenBlocks {
  let seen = searched;
  for (let size = firstSize(text); size < text.length; size *= 2) {
    if (size <= searched) continue;
    const beginning = text.slice(0, size);
    const { finished, unfinished } = splitText(beginning);
    if (finished.length > 0) return { finished, unfinished: [], end: unfinished[0]?.offset ?? 0, hasMore: true, head: null, searched: 0 };
    const cut = size <= LARGEST_BLOCK_CHARACTERS ? findCut(beginning) : null;
    if (cut !== null) {
      const block = { offset: 0, source: text.slice(0, cut.offset) };
      return { finished: [block], unfinished: [], end: cut.offset, hasMore: true, head: cut.head, searched: 0 };
    }
    seen = size;
  }
  if (mayGrow && seen >= LARGEST_BLOCK_CHARACTERS)
    return { finished: [], unfinished: [{ offset: 0, source: text }], end: 0, hasMore: false, head: null, searched: seen };
  const { finished, unfinished } = splitText(text);
  if (!mayGrow)
    return { finished: [...finished, ...unfinished], unfinished: [], end: text.length, hasMore: false, head: null, searched: 0 };
  const end = unfinished[0]?.offset ?? 0;
  return { finished, unfinished, end, hasMore: false, head: null, searched: end > 0 ? 0 : seen };
}

function firstSize(text: string): number {
  const beginning = text.slice(0, CUT_BEYOND_CHARACTERS);
  let marks = 0;
  for (const { index } of beginning.matchAll(/\$|\\[([]/g)) if (++marks === CUT_BEYOND_FORMULA_MARKS) return index + 1;
  return CUT_BEYOND_CHARACTERS;
}

interface Cut {
  readonly offset: number;
  readonly head: string | null;
}

/** Where to cut a text of which no block is finished; null where there is no good place. */
function findCut(text: string): Cut | null {
  const lines = lineOffsets(text);
  const starts = findBlockStarts(text);
  const lastComplete = text.lastIndexOf('\n');
  // The line after a begin may still turn it into something else.
  const isSettled = (offset: number): boolean => {
    const lineEnd = text.indexOf('\n', offset);
    return lineEnd >= 0 && lineEnd < lastComplete;
  };
  const offsetOf = (line: number): number => lines[line] ?? text.length;
  const next = starts.slice(1).findLast(({ line }) => isSettled(offsetOf(line)));
  if (next !== undefined) return { offset: offsetOf(next.line), head: null };
  const first = starts[0];
  if (first === undefined) return null;
  if (first.type === 'paragraph') return starts.length > 1 ? null : cutParagraph(text);
  const head = first.type === 'table' ? text.slice(offsetOf(first.line), offsetOf(first.line + 2)) : '';
  // Small pieces would be many, and heads of tables more than their rows.
  const smallest = Math.max(text.length / 4, head.length * 4);
  const part = first.parts.findLast((line) => offsetOf(line) >= smallest && isSettled(offsetOf(line)));
  return part === undefined ? null : { offset: offsetOf(part), head };
}

/** Places between two sentences, words, half-sentences or letters; a letter follows each, because it begins no other block. */
const PLACES = [/[.!?…。！？]["'”’)）」』]*\s+(?=\p{L})/gu, /\s(?=\p{L})/gu, /[,;:，、；：。！？](?=\p{L})/gu, /\p{L}(?=\p{L})/gu];

function cutParagraph(text: string): Cut | null {
  const half = Math.floor(text.length / 2);
  const end = text.slice(half);
  for (const place of PLACES) {
    const last = [...end.matchAll(place)].at(-1);
    if (last !== undefined) return { offset: half + last.index + last[0].length, head: '' };
  }
  return null;
}
