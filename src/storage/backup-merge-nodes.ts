import { ROOT, Tree, type StructureEntry } from '../core/tree';
import { byConversation, type LineOf, type MergeContext } from './backup-context';
import { referencesOf } from './blob-references';
import { readEntries, writeEntries } from './blocks';
import { nodeChange } from './outbox-rows';
import { keepShown, shownChild } from './selection';
import { selectionOf } from './sides';

/** Adds the nodes that are not here. A node whose parent is nowhere becomes a root: lost words are worse than a strange place. */
export async function mergeNodes(context: MergeContext, lines: readonly LineOf<'nodes'>[]): Promise<void> {
  for (const [conversationId, group] of byConversation(lines)) {
    if ((await context.database.conversations.get(conversationId)) === undefined) {
      context.tally.damaged.push(...group.map((line) => line.line));
    } else await mergeNodesOf(context, conversationId, group);
  }
}

/** Adds the content of living nodes where a step is missing; what is here is never replaced. */
export async function mergeContent(context: MergeContext, lines: readonly LineOf<'content'>[]): Promise<void> {
  const { database, tally } = context;
  for (const [conversationId, group] of byConversation(lines)) {
    const statuses = new Map((await readEntries(database, conversationId)).map((entry) => [entry.id, entry.status]));
    const present = await database.content.bulkGet(group.map(({ row }): [string, number] => [row.nodeId, row.step]));
    const added = group.filter(({ line, row }, index) => {
      const status = statuses.get(row.nodeId);
      if (status === undefined) tally.damaged.push(line);
      else if (status === 'deleted' || present[index] !== undefined) tally.unchanged += 1;
      else return true;
      return false;
    });
    await database.content.bulkPut(added.map(({ row }) => row));
    const references = added.flatMap(({ row }) => referencesOf(row.nodeId, conversationId, [row.body]));
    await database.blobReferences.bulkPut(references);
  }
}

/** Marks of what was deleted there. They delete nothing here. */
export async function mergeTombstones(context: MergeContext, lines: readonly LineOf<'tombstones'>[]): Promise<void> {
  const { database, tally } = context;
  for (const [conversationId, group] of byConversation(lines)) {
    const conversation = await database.conversations.get(conversationId);
    const deleted = new Set((await readEntries(database, conversationId)).flatMap((entry) => (entry.status === 'deleted' ? entry.id : [])));
    for (const { row } of group) {
      const isMissingHere = row.kind === 'node' ? deleted.has(row.id) : conversation === undefined && row.id === conversationId;
      if (isMissingHere && (await database.tombstones.get(row.id)) === undefined) await database.tombstones.put(row);
      else tally.unchanged += 1;
    }
  }
}

async function mergeNodesOf(context: MergeContext, conversationId: string, lines: readonly LineOf<'nodes'>[]): Promise<void> {
  const { database, tally } = context;
  const entries = await readEntries(database, conversationId);
  const known = new Map(entries.map((entry) => [entry.id, entry.ordinal]));
  const fresh = await foreignersOut(
    context,
    conversationId,
    lines.filter(({ row }) => !known.has(row.id)),
  );
  tally.unchanged += lines.filter(({ row }) => known.has(row.id)).length;
  if (fresh.length === 0) return;
  const before = new Tree([...entries]);
  for (const { row } of parentsFirst(fresh, known)) {
    // The same id twice in one file: the first one counts.
    if (known.has(row.id)) {
      tally.unchanged += 1;
      continue;
    }
    const { id, role, tokens, revision, createdAt } = row;
    // Nobody is writing it here, and an imported answer that never ends could not be continued.
    const status = row.status === 'running' ? 'interrupted' : row.status;
    const parent = row.parentId === null ? ROOT : (known.get(row.parentId) ?? ROOT);
    known.set(id, entries.length);
    entries.push({ ordinal: entries.length, id, parent, role, status, tokens, revision, createdAt });
    tally.nodes += 1;
    context.changes.push(nodeChange(id, conversationId, 'put'));
  }
  await writeEntries(database, conversationId, entries, before.entries.length);
  const isNew = context.created.has(conversationId) || tally.conversations.includes(conversationId);
  if (!isNew) await keepPlaces(context, conversationId, before, entries);
}

/** Leaves out nodes whose content stands in another conversation: content is found by the node's id alone. */
async function foreignersOut(context: MergeContext, conversationId: string, lines: readonly LineOf<'nodes'>[]): Promise<LineOf<'nodes'>[]> {
  const content = await context.database.content.bulkGet(lines.map(({ row }): [string, number] => [row.id, 0]));
  return lines.filter(({ line }, index) => {
    const owner = content[index]?.conversationId ?? conversationId;
    if (owner !== conversationId) context.tally.damaged.push(line);
    return owner === conversationId;
  });
}

/** The lines with parents before their children; where they form a circle, it is cut. */
function parentsFirst(lines: readonly LineOf<'nodes'>[], known: ReadonlyMap<string, number>): LineOf<'nodes'>[] {
  const byId = new Map(lines.map((line) => [line.row.id, line]));
  const placed = new Set<LineOf<'nodes'>>();
  for (const start of lines) {
    const chain: LineOf<'nodes'>[] = [];
    const inChain = new Set<LineOf<'nodes'>>();
    for (let line: LineOf<'nodes'> | undefined = start; line !== undefined && !placed.has(line) && !inChain.has(line);) {
      chain.push(line);
      inChain.add(line);
      const parentId: string | null = line.row.parentId;
      line = parentId === null || known.has(parentId) ? undefined : byId.get(parentId);
    }
    for (const line of chain.reverse()) placed.add(line);
  }
  return [...placed];
}

/** New branches beside what the reader sees don't take its place; the weakest clock, so that any choice in the file still wins. */
async function keepPlaces(context: MergeContext, conversationId: string, before: Tree, entries: readonly StructureEntry[]): Promise<void> {
  const { database, stamp } = context;
  const selection = await selectionOf(database, conversationId);
  const after = new Tree(entries);
  const parents = new Set(entries.slice(before.entries.length).map((entry) => after.livingParent(entry.ordinal)));
  for (const parent of parents) {
    const shown = shownChild(before, selection, parent);
    if (shown === undefined) continue;
    await keepShown(database, { conversationId, tree: after, parent: after.entries[parent], shown }, { ...stamp, at: 0 });
  }
}
