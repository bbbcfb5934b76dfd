const NAME = 'thread-find';

/**
 * Marks every place of `query` in the drawn rows, and returns those in the row with this id. Marks are no elements: the text stays as it is. A
 * browser that knows no such marks shows none.
 */
export function markFound(rows: readonly HTMLElement[], query: string, current: string | null): readonly Range[] {
  const ranges = query === '' ? [] : rows.flatMap((row) => rangesIn(row, query.toLocaleLowerCase()).map((range) => ({ range, row })));
  if ('highlights' in CSS) {
    if (ranges.length === 0) CSS.highlights.delete(NAME);
    else CSS.highlights.set(NAME, new Highlight(...ranges.map(({ range }) => range)));
  }
  return ranges.filter(({ row }) => row.dataset['row'] === current).map(({ range }) => range);
}

function rangesIn(row: HTMLElement, words: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLocaleLowerCase();
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      // Some letters are longer in lower case: their places can't be told.
      if (at + words.length > (node.nodeValue ?? '').length) break;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      ranges.push(range);
    }
  }
  return ranges;
}
