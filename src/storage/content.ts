import Dexie from 'dexie';
import { AppError } from '../core/errors';
import type { MessageNode, StepContent } from '../core/node';
import { Tree, type StructureEntry } from '../core/tree';
import { readEntries } from './blocks';
import type { JackdawDatabase } from './db';
import { stored } from './open';
import { selectionOf } from './sides';

/** The branch that the reader is on: its structure whole, the content of some of its nodes. */
export interface Branch {
  readonly conversationId: string;
  readonly tree: Tree;
  /** Every node of the branch in reading order, the last one is the leaf. */
  readonly path: readonly StructureEntry[];
  /** Those with content, in reading order. */
  readonly nodes: readonly MessageNode[];
}

/** The nodes of a branch whose content is wanted: so many at its end, or the chosen ones. */
export type Wanted = { readonly limit: number } | { readonly choose: (path: readonly StructureEntry[]) => readonly StructureEntry[] };

/**
 * The selected branch with the content of the wanted nodes, or undefined where the conversation is missing or deleted. Usable as a live query:
 * every change of a node's content changes its revision in the structure as well.
 */
export function readBranch(database: JackdawDatabase, conversationId: string, wanted: Wanted): Promise<Branch | undefined> {
  return reading(database, async () => {
    const conversation = await database.conversations.get(conversationId);
    if (conversation === undefined || conversation.deletedAt > 0) return undefined;
    const tree = new Tree(await readEntries(database, conversationId));
    const path = tree.selectedPath(await selectionOf(database, conversationId));
    const chosen = 'limit' in wanted ? path.slice(-wanted.limit) : wanted.choose(path);
    return { conversationId, tree, path, nodes: await withContent(database, conversationId, tree, chosen) };
  });
}

/**
 * The branch as it is once the alternative `nodeId` is selected, over a tree that was read before: before the choice is stored, and without
 * reading the structure again. Undefined where the tree has no such node.
 */
export function readAlternative(
  database: JackdawDatabase,
  { conversationId, tree, nodeId }: { readonly conversationId: string; readonly tree: Tree; readonly nodeId: string },
  choose: (path: readonly StructureEntry[]) => readonly StructureEntry[],
): Promise<Branch | undefined> {
  return reading(database, async () => {
    const entry = tree.find(nodeId);
    if (entry === undefined) return undefined;
    const parent = tree.entries[tree.livingParent(entry.ordinal)]?.id ?? '';
    const path = tree.selectedPath(new Map([...(await selectionOf(database, conversationId)), [parent, nodeId]]));
    return { conversationId, tree, path, nodes: await withContent(database, conversationId, tree, choose(path)) };
  });
}

/** The content of some nodes of a tree that was read before. What was deleted since comes back empty. */
export function readNodes(
  database: JackdawDatabase,
  conversationId: string,
  tree: Tree,
  entries: readonly StructureEntry[],
): Promise<readonly MessageNode[]> {
  return reading(database, () => withContent(database, conversationId, tree, entries));
}

/** A node that was read before, at its place in a newer tree: its content is the same as long as its revision is. */
export function replaced(node: MessageNode, tree: Tree, entry: StructureEntry): MessageNode {
  return messageNode(node.conversationId, tree, entry, node.steps);
}

/** One node with its content, or undefined where it is missing or deleted. */
export function readNode(database: JackdawDatabase, conversationId: string, nodeId: string): Promise<MessageNode | undefined> {
  return reading(database, async () => {
    const tree = new Tree(await readEntries(database, conversationId));
    const entry = tree.find(nodeId);
    return entry === undefined ? undefined : (await withContent(database, conversationId, tree, [entry]))[0];
  });
}

/** From the root to a node, with content. Throws `node-missing`. */
export function readPath(database: JackdawDatabase, conversationId: string, nodeId: string): Promise<readonly MessageNode[]> {
  return reading(database, async () => {
    const tree = new Tree(await readEntries(database, conversationId));
    const entry = tree.find(nodeId);
    if (entry === undefined) throw new AppError('node-missing', { details: { nodeId } });
    return withContent(database, conversationId, tree, tree.pathTo(entry.ordinal));
  });
}

/** The steps of a node in order. Runs in the caller's transaction over `content`. */
export async function readSteps(database: JackdawDatabase, nodeId: string): Promise<StepContent[]> {
  const rows = await database.content.where('[nodeId+step]').between([nodeId, Dexie.minKey], [nodeId, Dexie.maxKey]).toArray();
  return rows.map((row) => row.body);
}

/** One snapshot: a tree and content of different moments would not fit together. */
function reading<T>(database: JackdawDatabase, work: () => Promise<T>): Promise<T> {
  const { conversations, structure, sides, content } = database;
  return stored(database, () => database.transaction('r', [conversations, structure, sides, content], work));
}

async function withContent(
  database: JackdawDatabase,
  conversationId: string,
  tree: Tree,
  entries: readonly StructureEntry[],
): Promise<MessageNode[]> {
  const steps = await Promise.all(entries.map((entry) => readSteps(database, entry.id)));
  return entries.map((entry, index) => messageNode(conversationId, tree, entry, steps[index] ?? []));
}

function messageNode(conversationId: string, tree: Tree, entry: StructureEntry, steps: readonly StepContent[]): MessageNode {
  const { id, role, status, revision, createdAt, tokens } = entry;
  return {
    id,
    conversationId,
    parentId: tree.entries[tree.livingParent(entry.ordinal)]?.id ?? null,
    role,
    status,
    revision,
    createdAt,
    tokens,
    steps,
    siblings: tree.siblings(entry.ordinal).flatMap((ordinal) => tree.entries[ordinal]?.id ?? []),
  };
}
