import type { BlockNode, InlineNode } from './nodes';

export type Direction = 'ltr' | 'rtl' | 'auto';

/** What has a direction of its own: letters, and the marks that stand for one. */
const STRONG = /[\p{L}\u200E\u200F]/u;
/** Scripts that are written from the right, by their blocks in Unicode. */
const FROM_RIGHT = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * The direction of a block: that of its first letter, code and formulas aside (UAX #9, P2 and P3); `auto` where it has none yet. The browser
 * would find the same by `auto` alone, but anew for every ancestor each time that a text grows.
 */
export function directionOf(block: BlockNode): Direction {
  return strongDirection(block) ?? 'auto';
}

function strongDirection(block: BlockNode): Direction | undefined {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return directionOfLine(block.children);
    case 'list':
      return first(block.items, (item) => first(item.children, strongDirection));
    case 'quote':
      return first(block.children, strongDirection);
    case 'table':
      return first([block.header, ...block.rows], (row) => first(row, directionOfLine));
    case 'code':
    case 'formula-block':
    case 'rule':
      return undefined;
  }
}

function directionOfLine(nodes: readonly InlineNode[]): Direction | undefined {
  return first(nodes, (node) => {
    if (node.type === 'text') return directionOfText(node.text);
    return 'children' in node ? directionOfLine(node.children) : undefined;
  });
}

function directionOfText(text: string): Direction | undefined {
  const letter = STRONG.exec(text)?.[0];
  if (letter === undefined) return undefined;
  return FROM_RIGHT.test(letter) ? 'rtl' : 'ltr';
}

function first<Item>(items: readonly Item[], directionIn: (item: Item) => Direction | undefined): Direction | undefined {
  for (const item of items) {
    const direction = directionIn(item);
    if (direction !== undefined) return direction;
  }
  return undefined;
}
