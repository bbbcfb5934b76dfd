/** What stands before the first hit of an excerpt, in UTF-16 units: enough to tell what it is about. */
const LEAD_CHARACTERS = 60;

/** Does not depend on the reader's language: characters are cut the same way for all. */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text as searches compare it: NFKC without differences of case, so that full and half width, ligatures and composed characters are the
 * same. May be longer or shorter than the text.
 */
export function foldText(text: string): string {
  // Lower-casing writes a sigma at the end of a word in its other form, which would depend on what follows.
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}

/** The folded words of a query, each once. A query without spaces, as Chinese is written, is one word. */
export function searchWords(query: string): readonly string[] {
  return [...new Set(foldText(query).split(/\s+/))].filter((word) => word !== '');
}

/** Whether every word occurs somewhere in a folded text, be it inside of another word. */
export function holdsAll(folded: string, words: readonly string[]): boolean {
  return words.every((word) => folded.includes(word));
}

/**
 * One line of at most `maxCharacters` UTF-16 units around the first of the folded words, all of them in square brackets; `…` where the text goes
 * on. Never cuts a character in two. Without any of the words it is the beginning of the text.
 */
export function excerptAround(text: string, words: readonly string[], maxCharacters: number): string {
  const at = firstHit(text, words);
  const start = afterPair(text, Math.max(0, at - LEAD_CHARACTERS));
  const end = afterPair(text, Math.min(text.length, start + maxCharacters));
  const window = text.slice(start, end);
  const line = (start > 0 ? window.replace(/^[\p{M}\u200d]+/u, '') : window).replace(/\s+/g, ' ').trim();
  let excerpt = start > 0 ? '…' : '';
  let isOpen = false;
  let isCut = end < text.length;
  for (const { piece, isHit } of markedCharacters(line, words)) {
    const mark = isHit === isOpen ? '' : isHit ? '[' : ']';
    // Two are kept for the last bracket and the ellipsis.
    if (excerpt.length + mark.length + piece.length > maxCharacters - 2) {
      isCut = true;
      break;
    }
    excerpt += mark + piece;
    isOpen = isHit;
  }
  return `${excerpt}${isOpen ? ']' : ''}${isCut ? '…' : ''}`;
}

/** Where the first of the words begins in the text itself; 0 where none occurs. */
function firstHit(text: string, words: readonly string[]): number {
  const folded = foldText(text);
  const found = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  if (found.length === 0) return 0;
  const wanted = Math.min(...found);
  if (foldText(text.slice(0, wanted)).length === wanted) return wanted;
  // Folding moves offsets, but never back: the last beginning of the text whose folded form is not longer than what stands before the hit.
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (foldText(text.slice(0, middle)).length <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

function markedCharacters(line: string, words: readonly string[]): readonly { readonly piece: string; readonly isHit: boolean }[] {
  const pieces = Array.from(characters.segment(line), ({ segment }) => segment);
  const owners: number[] = [];
  let folded = '';
  pieces.forEach((piece, index) => {
    const form = foldText(piece);
    folded += form;
    for (let unit = 0; unit < form.length; unit += 1) owners.push(index);
  });
  const hits = new Set<number>();
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      for (const owner of owners.slice(at, at + word.length)) hits.add(owner);
    }
  }
  return pieces.map((piece, index) => ({ piece, isHit: hits.has(index) }));
}

/** The offset, or the next one where it lies between the halves of a character. */
function afterPair(text: string, offset: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(offset)) && /[\uD800-\uDBFF]/.test(text.charAt(offset - 1)) ? offset + 1 : offset;
}
