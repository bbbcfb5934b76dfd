import Dexie from 'dexie';
import { NODE_STATUSES, ROLES } from '../core/node';
import type { StructureEntry } from '../core/tree';
import type { JackdawDatabase, StructureBlockRow } from './db';
import { isNodeId, readNodeId, writeNodeId } from './node-id';

/** Nodes a block: small enough to be rewritten for one new message, large enough that 10,000 messages are 40 rows. */
const BLOCK_SIZE = 256;
const BYTES_PER_ID = 16;
const MAX_UINT32 = 0xffff_ffff;

/** Where an entry is stored, so that it can be changed without unpacking its block. */
export interface LocatedEntry {
  readonly row: StructureBlockRow;
  readonly index: number;
  readonly entry: StructureEntry;
}

/** Every entry of a conversation by ordinal, deleted ones among them. */
export async function readEntries(database: JackdawDatabase, conversationId: string): Promise<StructureEntry[]> {
  const entries: StructureEntry[] = [];
  // One plain loop: this runs on the page for every message of a conversation, each time the branch is read.
  for (const row of await blockRows(database, conversationId)) {
    for (let index = 0; index < row.count; index += 1) entries.push(entryAt(row, index));
  }
  return entries;
}

/** The entry of a node, deleted or not. Looks at the newest block first, where nearly every change happens. */
export async function locateEntry(database: JackdawDatabase, conversationId: string, nodeId: string): Promise<LocatedEntry | undefined> {
  if (!isNodeId(nodeId)) return undefined;
  const newest = await blockRange(database, conversationId).last();
  const found = newest === undefined ? undefined : locateInBlock(newest, nodeId);
  if (found !== undefined) return found;
  for (const row of await blockRows(database, conversationId)) {
    const located = locateInBlock(row, nodeId);
    if (located !== undefined) return located;
  }
  return undefined;
}

/** Writes a located entry again with some of its fields changed and its revision raised by one. */
export async function changeEntry(
  database: JackdawDatabase,
  located: LocatedEntry,
  change: { readonly status?: StructureEntry['status']; readonly tokens?: number },
): Promise<void> {
  const { row, index, entry } = located;
  row.statuses[index] = NODE_STATUSES.indexOf(change.status ?? entry.status);
  row.tokens[index] = toUint32(change.tokens ?? entry.tokens);
  row.revisions[index] = toUint32(entry.revision + 1);
  await database.structure.put(row);
}

/** Writes the blocks that hold the entries from ordinal `from` on; `entries` are all of the conversation. */
export async function writeEntries(
  database: JackdawDatabase,
  conversationId: string,
  entries: readonly StructureEntry[],
  from: number,
): Promise<void> {
  const rows: StructureBlockRow[] = [];
  for (let block = Math.floor(from / BLOCK_SIZE); block * BLOCK_SIZE < entries.length; block += 1) {
    rows.push(packBlock(conversationId, block, entries.slice(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE)));
  }
  await database.structure.bulkPut(rows);
}

function blockRange(database: JackdawDatabase, conversationId: string) {
  return database.structure.where('[conversationId+block]').between([conversationId, Dexie.minKey], [conversationId, Dexie.maxKey]);
}

function blockRows(database: JackdawDatabase, conversationId: string): Promise<StructureBlockRow[]> {
  return blockRange(database, conversationId).toArray();
}

function packBlock(conversationId: string, block: number, entries: readonly StructureEntry[]): StructureBlockRow {
  const count = entries.length;
  const ids = new Uint8Array(count * BYTES_PER_ID);
  entries.forEach((entry, index) => writeNodeId(entry.id, ids, index));
  return {
    conversationId,
    block,
    count,
    ids,
    parents: Int32Array.from(entries, (entry) => entry.parent),
    roles: Uint8Array.from(entries, (entry) => ROLES.indexOf(entry.role)),
    statuses: Uint8Array.from(entries, (entry) => NODE_STATUSES.indexOf(entry.status)),
    tokens: Uint32Array.from(entries, (entry) => toUint32(entry.tokens)),
    revisions: Uint32Array.from(entries, (entry) => toUint32(entry.revision)),
    createdAt: Float64Array.from(entries, (entry) => entry.createdAt),
  };
}

function entryAt(row: StructureBlockRow, index: number): StructureEntry {
  return {
    ordinal: row.block * BLOCK_SIZE + index,
    id: readNodeId(row.ids, index),
    parent: row.parents[index] ?? -1,
    role: ROLES[row.roles[index] ?? 0] ?? 'user',
    status: NODE_STATUSES[row.statuses[index] ?? 0] ?? 'complete',
    tokens: row.tokens[index] ?? 0,
    revision: row.revisions[index] ?? 0,
    createdAt: row.createdAt[index] ?? 0,
  };
}

function locateInBlock(row: StructureBlockRow, nodeId: string): LocatedEntry | undefined {
  const wanted = new Uint8Array(BYTES_PER_ID);
  writeNodeId(nodeId, wanted, 0);
  for (let index = 0; index < row.count; index += 1) {
    let byte = 0;
    while (byte < BYTES_PER_ID && row.ids[index * BYTES_PER_ID + byte] === wanted[byte]) byte += 1;
    if (byte === BYTES_PER_ID) return { row, index, entry: entryAt(row, index) };
  }
  return undefined;
}

function toUint32(value: number): number {
  return Math.min(MAX_UINT32, Math.max(0, Math.round(value)));
}
