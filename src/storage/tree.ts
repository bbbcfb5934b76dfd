import Dexie from 'dexie';
import { tick } from '../core/clock';
import { AppError } from '../core/errors';
import type { NodeStatus, Role, StepContent } from '../core/node';
import { ROOT, Tree, type StructureEntry } from '../core/tree';
import { changeEntry, locateEntry, readEntries, writeEntries } from './blocks';
import { dropReferences, referencesOf } from './blob-references';
import { changeConversations, livingConversation } from './change';
import type { JackdawDatabase } from './db';
import { stored } from './open';
import { nodeChange, noteChanges } from './outbox-rows';
import { keepShown, selectPath, shownChild } from './selection';
import { selectionOf } from './sides';
import type { Stamp } from './stamp';

export interface NewNode {
  /** A UUID in lower case. */
  readonly id: string;
  readonly parentId: string | null;
  readonly role: Role;
  readonly status: NodeStatus;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly tokens: number;
  readonly steps: readonly StepContent[];
}

/** The tree of a conversation; empty where there is none. Usable as a live query. */
export function readTree(database: JackdawDatabase, conversationId: string): Promise<Tree> {
  return stored(database, async () => new Tree(await readEntries(database, conversationId)));
}

/** The remembered choices at branch points: a parent's id (`''` for the root) to the chosen child's. Usable as a live query. */
export function readSelection(database: JackdawDatabase, conversationId: string): Promise<ReadonlyMap<string, string>> {
  return stored(database, () => selectionOf(database, conversationId));
}

/**
 * Adds nodes, parents before their children, in one transaction, and makes the last one visible. Nodes that are there already are left alone,
 * so that doing it twice does no harm. Throws `conversation-missing`, and `node-missing` for a parent that is unknown or deleted.
 */
export function appendNodes(database: JackdawDatabase, conversationId: string, nodes: readonly NewNode[], stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    const conversation = await livingConversation(database, conversationId);
    const entries = await readEntries(database, conversationId);
    const firstNew = entries.length;
    const added = addEntries(entries, nodes);
    const last = entries.at(-1);
    if (last === undefined || added.length === 0) return;
    await writeEntries(database, conversationId, entries, firstNew);
    await writeContent(database, conversationId, added);
    await selectPath(database, { conversationId, tree: new Tree(entries), target: last, firstNew }, stamp);
    const updatedAt = added.reduce((latest, node) => Math.max(latest, node.createdAt), conversation.updatedAt);
    await database.conversations.update(conversationId, { updatedAt });
    await noteChanges(
      database,
      added.map((node) => nodeChange(node.id, conversationId, 'put')),
      stamp.at,
    );
  });
}

/** Changes a node's place and raises its revision. Throws `node-missing`. Deleting is `deleteNode`'s. */
export function updateEntry(
  database: JackdawDatabase,
  conversationId: string,
  nodeId: string,
  change: { readonly status?: NodeStatus; readonly tokens?: number },
  stamp: Stamp,
): Promise<void> {
  return changeConversations(database, async () => {
    const located = await locateEntry(database, conversationId, nodeId);
    if (located === undefined || located.entry.status === 'deleted') throw new AppError('node-missing', { details: { nodeId } });
    await changeEntry(database, located, change);
    await noteChanges(database, [nodeChange(nodeId, conversationId, 'put')], stamp.at);
  });
}

/** Shows a node: it and every ancestor become the chosen ones at their places. Throws `node-missing`. */
export function selectNode(database: JackdawDatabase, conversationId: string, nodeId: string, stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    const tree = new Tree(await readEntries(database, conversationId));
    const target = tree.find(nodeId);
    if (target === undefined) throw new AppError('node-missing', { details: { nodeId } });
    await selectPath(database, { conversationId, tree, target, firstNew: 0 }, stamp);
  });
}

/**
 * Deletes one node: its entry stays as a mark, its content, files and side fields go, a tombstone is left, and its children belong to the
 * nearest living ancestor. What was visible elsewhere stays visible; where the node itself was, what followed it is shown, else a
 * neighbour. Deleting twice does nothing more. Throws `node-missing` for a node that was never there.
 */
export function deleteNode(database: JackdawDatabase, conversationId: string, nodeId: string, stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    const located = await locateEntry(database, conversationId, nodeId);
    if (located === undefined) throw new AppError('node-missing', { details: { nodeId } });
    if (located.entry.status === 'deleted') return;
    const before = new Tree(await readEntries(database, conversationId));
    const selection = await selectionOf(database, conversationId);
    const parent = before.entries[before.livingParent(located.entry.ordinal)];
    const shown = shownAfterDeletion(before, selection, located.entry, parent?.ordinal ?? ROOT);
    await changeEntry(database, located, { status: 'deleted', tokens: 0 });
    await removeNodeRows(database, nodeId);
    const clock = tick(undefined, stamp.at, stamp.device);
    const parentId = parent?.id ?? null;
    await database.tombstones.put({ id: nodeId, kind: 'node', parentId, conversationId, deletedAt: stamp.at, clock });
    const after = new Tree(await readEntries(database, conversationId));
    await keepShown(database, { conversationId, tree: after, parent, shown }, stamp);
    await noteChanges(database, [nodeChange(nodeId, conversationId, 'delete')], stamp.at);
  });
}

/** Appends the entries of the nodes that are not there yet, and returns those. */
function addEntries(entries: StructureEntry[], nodes: readonly NewNode[]): NewNode[] {
  const ordinals = new Map(entries.map((entry) => [entry.id, entry.ordinal]));
  const added: NewNode[] = [];
  for (const node of nodes) {
    if (ordinals.has(node.id)) continue;
    const parent = node.parentId === null ? ROOT : ordinals.get(node.parentId);
    if (parent === undefined || entries[parent]?.status === 'deleted') {
      throw new AppError('node-missing', { details: { nodeId: node.parentId } });
    }
    const { id, role, status, tokens, createdAt } = node;
    ordinals.set(id, entries.length);
    entries.push({ ordinal: entries.length, id, parent, role, status, tokens, revision: 0, createdAt });
    added.push(node);
  }
  return added;
}

async function writeContent(database: JackdawDatabase, conversationId: string, nodes: readonly NewNode[]): Promise<void> {
  await database.content.bulkPut(
    nodes.flatMap((node) => node.steps.map((body) => ({ nodeId: node.id, step: body.step, conversationId, body }))),
  );
  const references = nodes.flatMap((node) => referencesOf(node.id, conversationId, node.steps));
  if (references.length > 0) await database.blobReferences.bulkPut(references);
}

async function removeNodeRows(database: JackdawDatabase, nodeId: string): Promise<void> {
  await database.content.where('[nodeId+step]').between([nodeId, Dexie.minKey], [nodeId, Dexie.maxKey]).delete();
  await database.sides.where('[targetId+field]').between([nodeId, Dexie.minKey], [nodeId, Dexie.maxKey]).delete();
  await database.waits.where('nodeId').equals(nodeId).delete();
  await dropReferences(database, nodeId);
}

/** The child of `parent` that the reader should see once `entry` is gone; undefined where nothing is left. */
function shownAfterDeletion(
  tree: Tree,
  selection: ReadonlyMap<string, string>,
  entry: StructureEntry,
  parent: number,
): StructureEntry | undefined {
  const shown = shownChild(tree, selection, parent);
  if (shown?.ordinal !== entry.ordinal) return shown;
  const following = shownChild(tree, selection, entry.ordinal);
  if (following !== undefined) return following;
  const siblings = tree.children(parent);
  const place = siblings.indexOf(entry.ordinal);
  const neighbour = siblings[place - 1] ?? siblings[place + 1];
  return neighbour === undefined ? undefined : tree.entries[neighbour];
}
