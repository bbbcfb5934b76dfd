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
  const wholes = [...text.matchAll(WHOLE)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  for (const { index, segment } of sentences.segment(text)) {
    const end = index + segment.length;
    // What comes next may belong to it: the end of what has arrived is no end of a sentence.
    if (end === text.length) return null;
    if (end >= from && wholes.every((whole) => end <= whole.start || end >= whole.end)) return end;
  }
  return null;
}
