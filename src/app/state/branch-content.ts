import type { MessageNode } from '../../core/node';
import type { StructureEntry, Tree } from '../../core/tree';
import { replaced } from '../../storage/content';
import { keepIdentity } from '../chat/live-run';

/** Places in a branch. */
export interface Range {
  readonly first: number;
  /** Not in it. */
  readonly last: number;
}

/** Content by id, of the messages that are shown or near. */
export type Content = ReadonlyMap<string, MessageNode>;

export const NO_CONTENT: Content = new Map();

/** Messages read at first: more than fit on a screen. */
const FIRST_NODES = 12;
/** Read on either side of what is looked at, so that a reader who scrolls meets no gap; read on when half of it is left. */
const AROUND_NODES = 30;
/** Kept on either side of what is looked at; what lies further away is read again when it is needed. */
const KEPT_NODES = 300;

/** The end of a branch, where a conversation opens. */
export function endOf(path: readonly StructureEntry[]): Range {
  return { first: Math.max(0, path.length - FIRST_NODES), last: path.length };
}

/** What has to be read because the reader comes near it; nothing while enough is there. */
export function missingAround(path: readonly StructureEntry[], content: Content, { first, last }: Range): readonly StructureEntry[] {
  const missing = (distance: number): readonly StructureEntry[] =>
    path.slice(Math.max(0, first - distance), last + distance).filter((entry) => !isFresh(content.get(entry.id), entry));
  return missing(AROUND_NODES / 2).length === 0 ? [] : missing(AROUND_NODES);
}

/** What has to be read when a branch has changed: of what is looked at, known, last, or `needed`, that which is not known as it is now. */
export function changedIn(
  path: readonly StructureEntry[],
  content: Content,
  range: Range,
  needed: string | undefined,
): readonly StructureEntry[] {
  return path.filter((entry, at) => {
    const known = content.get(entry.id);
    const isWanted = known !== undefined || (at >= range.first && at < range.last) || at === path.length - 1 || entry.id === needed;
    // An import writes the content of a new message after the message.
    return isWanted && (!isFresh(known, entry) || known?.steps.length === 0);
  });
}

/** Known and newly read content for a branch, without what lies far from the reader. Unchanged messages keep their identity. */
export function collect(tree: Tree, path: readonly StructureEntry[], known: Content, read: readonly MessageNode[], range: Range): Content {
  const fresh = new Map(read.map((node) => [node.id, node]));
  const content = new Map<string, MessageNode>();
  for (const entry of [...path.slice(Math.max(0, range.first - KEPT_NODES), range.last + KEPT_NODES), ...path.slice(-1)]) {
    const old = known.get(entry.id);
    const next = fresh.get(entry.id) ?? (old === undefined ? undefined : replaced(old, tree, entry));
    if (next !== undefined) content.set(entry.id, keepIdentity(old, next));
  }
  return content;
}

/** Whether content that was read is still what is stored. */
function isFresh(node: MessageNode | undefined, entry: StructureEntry): boolean {
  return node !== undefined && node.revision === entry.revision;
}
