/** Does not depend on the reader's language: the rules of Unicode (UAX 29) are the same for most. */
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** What a reader takes as one thing, finished or not: fenced code, code and formulas in a line, links, addresses, emphasis, rows of a table. */
const WHOLE = new RegExp(
  [
    String.raw`^ {0,3}(?<fence>\`{3,}|~{3,})[^]*?(?:\n {0,3}\k<fence>[^\n]*\n|(?![^]))`,
    String.raw`(?<ticks>\`+)(?!\`)[^]*?(?:(?<!\`)\k<ticks>(?!\`)|(?![^]))`,
    String.raw`\$\$[^]*?(?:\$\$|(?![^]))`,
    String.raw`\\\[[^]*?(?:\\\]|(?![^]))`,
    String.raw`\\\([^\n]*?(?:\\\)|$)`,
    String.raw`\*\*(?=\S)[^\n]*?(?:\*\*|$)`,
    String.raw`\[[^\]\n]*(?:\](?:\([^)\n]*(?:\)|$))?|$)`,
    String.raw`https?:\/\/\S*`,
    String.raw`^ {0,3}\|[^\n]*(?:\n {0,3}\|[^\n]*)*`,
  ].join('|'),
  'gm',
);

/**
 * The first end of a sentence at or after `from` (UTF-16 offsets): never inside a word, code, a formula, a link or a table. Null where the text
 * so far does not say.
 */
export function sentenceEnd(text: string, from: number): number | null {
  const wholes = wholesIn(text);
  for (const { index, segment } of sentences.segment(text)) {
    const end = index + segment.length;
    // What comes next may belong to it: the end of what has arrived is no end of a sentence.
    if (end === text.length) return null;
    if (end >= from && wholes.every((whole) => end <= whole.start || end >= whole.end)) return end;
  }
  return null;
}

/** Of so many characters the sentences are found in an instant; the browser's time grows with the square of the length. */
const WINDOW_CHARACTERS = 4_096;

/** The last end of a sentence in `text`, by the same rules as `sentenceEnd`; 0 where there is none. Takes milliseconds for a text of any length. */
export function lastSentenceEnd(text: string): number {
  const wholes = wholesIn(text);
  // Nothing ends in what has not ended itself, such as code that is still being written.
  const open = wholes.at(-1)?.end === text.length ? wholes.pop() : undefined;
  const limit = open?.start ?? text.length - 1;
  for (let windowEnd = limit; windowEnd > 0; windowEnd -= WINDOW_CHARACTERS) {
    const windowStart = Math.max(0, windowEnd - WINDOW_CHARACTERS);
    // Some more on both sides: whether a sentence ends is told by what stands around.
    const start = Math.max(0, windowStart - WINDOW_CHARACTERS);
    const near = wholes.filter((whole) => whole.end > start && whole.start < windowEnd);
    const isWithin = (end: number): boolean => near.some((whole) => whole.start < start + end && start + end < whole.end);
    const found = lastEndIn(text.slice(start, windowEnd + WINDOW_CHARACTERS), windowEnd - start, isWithin);
    if (found > 0) return start + found;
  }
  return 0;
}

function lastEndIn(text: string, limit: number, isWithin: (end: number) => boolean): number {
  let last = 0;
  for (const { index, segment } of sentences.segment(text)) {
    const end = index + segment.length;
    if (end > limit) break;
    if (!isWithin(end)) last = end;
  }
  return last;
}

interface Whole {
  readonly start: number;
  readonly end: number;
}

function wholesIn(text: string): Whole[] {
  return Array.from(text.matchAll(WHOLE), (match) => ({ start: match.index, end: match.index + match[0].length }));
}
