import { ROOT, type StructureEntry, type Tree } from '../core/tree';
import type { JackdawDatabase } from './db';
import { putSide, removeSide, selectionOf } from './sides';
import type { Stamp } from './stamp';

/** The child that a reader sees at a place: the remembered one, else the newest. Undefined below a leaf. */
export function shownChild(tree: Tree, selection: ReadonlyMap<string, string>, parent: number): StructureEntry | undefined {
  const chosen = tree.find(selection.get(keyOf(tree.entries[parent])) ?? '');
  if (chosen !== undefined && tree.livingParent(chosen.ordinal) === parent) return chosen;
  const newest = tree.children(parent).at(-1);
  return newest === undefined ? undefined : tree.entries[newest];
}

export interface PathSelection {
  readonly conversationId: string;
  readonly tree: Tree;
  /** The node that becomes visible. */
  readonly target: StructureEntry;
  /** Entries from this ordinal on are new: their choice is remembered as soon as they have a sibling. */
  readonly firstNew: number;
}

/** Makes a node visible by choosing it and its ancestors; writes only where a choice exists. Runs in the caller's transaction. */
export async function selectPath(database: JackdawDatabase, path: PathSelection, stamp: Stamp): Promise<void> {
  const { conversationId, tree, target, firstNew } = path;
  const selection = await selectionOf(database, conversationId);
  for (const entry of tree.pathTo(target.ordinal)) {
    const parent = tree.entries[tree.livingParent(entry.ordinal)];
    const remembered = selection.get(keyOf(parent));
    if (remembered === entry.id) continue;
    const isShown = shownChild(tree, selection, parent?.ordinal ?? ROOT)?.ordinal === entry.ordinal;
    const hasChoice = tree.siblings(entry.ordinal).length > 1;
    if (isShown && remembered === undefined && !(hasChoice && entry.ordinal >= firstNew)) continue;
    await putSide(database, { targetId: parent?.id ?? conversationId, field: 'selection', conversationId, value: entry.id }, stamp);
  }
}

export interface KeptChoice {
  readonly conversationId: string;
  /** The tree as it is now. */
  readonly tree: Tree;
  /** Undefined at the root. */
  readonly parent: StructureEntry | undefined;
  /** What shall be shown there; undefined where nothing is left. */
  readonly shown: StructureEntry | undefined;
}

/** Keeps a child visible after the tree around it changed; writes only where it would not be. Runs in the caller's transaction. */
export async function keepShown(database: JackdawDatabase, choice: KeptChoice, stamp: Stamp): Promise<void> {
  const { conversationId, tree, parent, shown } = choice;
  const selection = await selectionOf(database, conversationId);
  const remembered = selection.get(keyOf(parent));
  const target = { targetId: parent?.id ?? conversationId, field: 'selection', conversationId } as const;
  if (shown === undefined) {
    if (remembered !== undefined) await removeSide(database, target, stamp.at);
    return;
  }
  const isShown = shownChild(tree, selection, parent?.ordinal ?? ROOT)?.ordinal === shown.ordinal;
  if (isShown && (remembered === undefined || remembered === shown.id)) return;
  await putSide(database, { ...target, value: shown.id }, stamp);
}

/** How the root's choice is named: `''`, as `Tree.selectedPath` wants it. */
function keyOf(parent: StructureEntry | undefined): string {
  return parent?.id ?? '';
}
