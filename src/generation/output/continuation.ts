import type { Part } from '../../core/node';
import type { OutputTransformer } from './transformer';

// Shorter agreements between an end and a beginning are chance.
const MIN_REPEAT_CHARACTERS = 20;
// Models that repeat go back by a sentence or a paragraph, not further.
const MAX_REPEAT_CHARACTERS = 2000;

/**
 * How many characters at the start of `added` only repeat the end of `earlier`; null while more text could still decide it.
 * A repeat under 20 characters counts as none.
 */
export function repeatedLength(earlier: string, added: string, isFinal: boolean): number | null {
  const tail = earlier.slice(-MAX_REPEAT_CHARACTERS);
  if (!isFinal && added.length < tail.length && couldRepeat(tail, added)) return null;
  for (let length = Math.min(tail.length, added.length); length >= MIN_REPEAT_CHARACTERS; length--) {
    if (tail.endsWith(added.slice(0, length))) return length;
  }
  return 0;
}

/** Whether `added` stands somewhere in the tail so that going on could reach the tail's end. */
function couldRepeat(tail: string, added: string): boolean {
  const at = tail.indexOf(added);
  return at >= 0 && tail.length - at >= MIN_REPEAT_CHARACTERS;
}

/** Joins a continued answer to what stood there: the earlier text stays byte for byte, a repeated beginning is left out. */
export function joinContinuation(earlier: readonly Part[], added: readonly Part[], isFinal: boolean): readonly Part[] {
  const last = earlier.at(-1);
  const index = added.findIndex((part) => part.type === 'text');
  const first = added[index];
  if (last?.type !== 'text') return [...earlier, ...added];
  if (first?.type !== 'text') return [...earlier.slice(0, -1), ...added, last];
  const repeated = repeatedLength(last.text, first.text, isFinal && index === added.length - 1);
  const text = repeated === null ? last.text : last.text + first.text.slice(repeated);
  // What the model thought before going on stands before the text, so that the text stays one piece.
  return [...earlier.slice(0, -1), ...added.slice(0, index), { ...last, text }, ...added.slice(index + 1)];
}

/** Lets a continued node go on in the part where it stopped. */
export const continuation: OutputTransformer = {
  id: 'continuation',
  begin(turn) {
    return { stored: (parts, _at, isFinal) => (turn.continued.length === 0 ? parts : joinContinuation(turn.continued, parts, isFinal)) };
  },
};
