/** What stands inside a line. */
export type InlineNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'break' }
  | { readonly type: 'strong' | 'emphasis' | 'strikethrough'; readonly children: readonly InlineNode[] }
  | { readonly type: 'inline-code'; readonly text: string }
  | { readonly type: 'formula'; readonly tex: string; readonly source: string; readonly display: boolean }
  | LinkNode
  | ImageNode
  | { readonly type: 'footnote-reference'; readonly key: string; readonly source: string };

/** A link that may be opened. `shownHost` is the part of the target that the text does not show. */
export interface LinkNode {
  readonly type: 'link';
  readonly href: string;
  readonly shownHost: string | null;
  /** The text names another address than the one that opens. */
  readonly misleading: boolean;
  readonly children: readonly InlineNode[];
}

/** A picture: `embedded` carries its own bytes, `remote` waits for a click, `refused` is never shown. */
export interface ImageNode {
  readonly type: 'image';
  readonly alt: string;
  readonly kind: 'embedded' | 'remote' | 'refused';
  readonly url: string;
  readonly host: string;
}

/** One entry of a list; `done` is null where it is no task. */
export interface ListItem {
  readonly done: boolean | null;
  readonly children: readonly BlockNode[];
}

export type CellAlignment = 'start' | 'center' | 'end';

/** What stands below one another. */
export type BlockNode =
  | { readonly type: 'paragraph'; readonly tight: boolean; readonly children: readonly InlineNode[] }
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly children: readonly InlineNode[] }
  | { readonly type: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly type: 'quote'; readonly children: readonly BlockNode[] }
  | CodeNode
  | { readonly type: 'formula-block'; readonly tex: string; readonly source: string }
  | TableNode
  | { readonly type: 'rule' };

/** A block of code; `open` while its closing fence may still come. */
export interface CodeNode {
  readonly type: 'code';
  readonly language: string;
  readonly text: string;
  readonly open: boolean;
}

export interface TableNode {
  readonly type: 'table';
  readonly alignments: readonly CellAlignment[];
  readonly header: readonly (readonly InlineNode[])[];
  readonly rows: readonly (readonly (readonly InlineNode[])[])[];
}

/** The content of a footnote, found by the key that its references carry. */
export interface FootnoteDefinition {
  readonly key: string;
  readonly children: readonly BlockNode[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function isSame(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true;
  if (Array.isArray(before))
    return Array.isArray(after) && before.length === after.length && before.every((item, at) => isSame(item, after[at]));
  if (!isRecord(before) || !isRecord(after) || Array.isArray(after)) return false;
  const names = Object.keys(before);
  return names.length === Object.keys(after).length && names.every((name) => isSame(before[name], after[name]));
}

/**
 * `after`, but with the old object wherever a list holds an equal one at the same place, so that whoever draws the list can tell by
 * identity what changed. Returns `before` itself when nothing did.
 */
export function reuseEqual<Item>(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  const merged = after.map((item, at) => {
    const old = before[at];
    return old !== undefined && isSame(old, item) ? old : item;
  });
  return merged.length === before.length && merged.every((item, at) => item === before[at]) ? before : merged;
}
