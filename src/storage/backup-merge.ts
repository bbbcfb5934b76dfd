import { isLater, tick } from '../core/clock';
import { isEmptyDraft } from '../core/draft';
import { nextPosition } from './accounts';
import { linesOf, type LineOf, type MergeContext, type MergeTally } from './backup-context';
import { mergeContent, mergeNodes, mergeTombstones } from './backup-merge-nodes';
import type { PreparedLine } from './backup-prepare';
import { mergeSides } from './backup-merge-sides';
import { draftOwner, replaceReferences } from './blob-references';
import type { AccountRow, JackdawDatabase } from './db';
import { stored } from './open';
import { noteChanges, plainChange } from './outbox-rows';
import type { Stamp } from './stamp';

/**
 * Merges one batch of a backup in one transaction. `created` names the conversations that earlier batches of the same import made.
 * Throws the codes of `stored`; nothing of the batch is written then.
 */
export function mergeRows(
  database: JackdawDatabase,
  batch: readonly PreparedLine[],
  created: ReadonlySet<string>,
  stamp: Stamp,
): Promise<MergeTally> {
  return stored(database, () =>
    database.transaction('rw', database.tables, async () => {
      const tally: MergeTally = { conversations: [], nodes: 0, files: 0, accounts: 0, unchanged: 0, damaged: [] };
      const context: MergeContext = { database, stamp, created, tally, changes: [] };
      // Owners before what they own, whatever the order of the lines was.
      await mergeConversations(context, linesOf(batch, 'conversations'));
      await mergeNodes(context, linesOf(batch, 'nodes'));
      await mergeContent(context, linesOf(batch, 'content'));
      await mergeSides(context, linesOf(batch, 'sides'));
      await mergeTombstones(context, linesOf(batch, 'tombstones'));
      await mergeDrafts(context, linesOf(batch, 'drafts'));
      await mergeSettings(context, linesOf(batch, 'settings'));
      await mergeAccounts(context, linesOf(batch, 'accounts'));
      await mergeBlobs(context, linesOf(batch, 'blobs'));
      await noteChanges(database, context.changes, stamp.at);
      return tally;
    }),
  );
}

/** A conversation that is in the list of the file is in the list here afterwards: who imports a backup wants it back. */
async function mergeConversations(context: MergeContext, lines: readonly LineOf<'conversations'>[]): Promise<void> {
  const { database, stamp, tally } = context;
  for (const { row } of lines) {
    const present = await database.conversations.get(row.id);
    if (present === undefined) {
      // Side rows are the truth about pinning, and follow.
      await database.conversations.add({ ...row, pinned: 0 });
      await database.tombstones.delete(row.id);
      tally.conversations.push(row.id);
    } else {
      const isRestored = present.deletedAt > 0 && row.deletedAt === 0;
      if (!isRestored && row.updatedAt <= present.updatedAt) {
        tally.unchanged += 1;
        continue;
      }
      const restored = isRestored ? { deletedAt: 0, clock: tick(present.clock, stamp.at, stamp.device) } : {};
      await database.conversations.update(row.id, { updatedAt: Math.max(row.updatedAt, present.updatedAt), ...restored });
    }
    context.changes.push({ entity: 'conversation', id: row.id, conversationId: row.id, change: 'put' });
  }
}

async function mergeDrafts(context: MergeContext, lines: readonly LineOf<'drafts'>[]): Promise<void> {
  const { database, tally } = context;
  for (const { line, row } of lines) {
    if (row.key !== 'new' && (await database.conversations.get(row.key)) === undefined) {
      tally.damaged.push(line);
      continue;
    }
    const present = await database.drafts.get(row.key);
    if (isEmptyDraft(row.body) || (present !== undefined && present.updatedAt >= row.updatedAt)) {
      tally.unchanged += 1;
      continue;
    }
    await database.drafts.put(row);
    const ownerId = draftOwner(row.key);
    const hashes = new Set(row.body.attachments.map((file) => file.blob));
    await replaceReferences(
      database,
      ownerId,
      [...hashes].map((hash) => ({ hash, ownerId, conversationId: row.key })),
    );
  }
}

async function mergeSettings(context: MergeContext, lines: readonly LineOf<'settings'>[]): Promise<void> {
  const { database, tally, changes } = context;
  for (const { row } of lines) {
    const present = await database.settings.get(row.key);
    if (!isLater(row.clock, present?.clock)) {
      tally.unchanged += 1;
      continue;
    }
    await database.settings.put({ key: row.key, clock: row.clock, body: { value: row.body.value } });
    changes.push(plainChange('setting', row.key, 'put'));
  }
}

async function mergeAccounts(context: MergeContext, lines: readonly LineOf<'accounts'>[]): Promise<void> {
  const { database, tally, changes } = context;
  for (const { row } of lines) {
    const present = await database.accounts.get(row.id);
    const merged = present === undefined ? { ...row, position: await freePosition(database, row.position) } : mergeAccount(present, row);
    if (merged === undefined) {
      tally.unchanged += 1;
      continue;
    }
    await database.accounts.put(merged);
    tally.accounts += 1;
    changes.push(plainChange('account', row.id, 'put'));
  }
}

/** What an account becomes; undefined where it stays. */
function mergeAccount(present: AccountRow, row: AccountRow): AccountRow | undefined {
  if (!isLater(row.clock, present.clock)) {
    const isSame = row.clock.time === present.clock.time && row.clock.device === present.clock.device;
    if (!isSame || present.wrappedKey !== undefined || row.wrappedKey === undefined) return undefined;
    return { ...present, wrappedKey: row.wrappedKey };
  }
  // A stored key never follows an account to another address: a made-up backup could send it anywhere.
  const staysThere = present.body.baseUrl === row.body.baseUrl && present.body.provider === row.body.provider;
  const wrappedKey = row.wrappedKey ?? (staysThere ? present.wrappedKey : undefined);
  return {
    id: row.id,
    position: present.position,
    clock: row.clock,
    body: row.body,
    ...(wrappedKey === undefined ? {} : { wrappedKey }),
  };
}

async function freePosition(database: JackdawDatabase, position: number): Promise<number> {
  return (await database.accounts.where('position').equals(position).count()) === 0 ? position : nextPosition(database);
}

async function mergeBlobs(context: MergeContext, lines: readonly LineOf<'blobs'>[]): Promise<void> {
  const { database, tally, changes } = context;
  const keys = lines.map(({ row }) => row.hash);
  const present = new Set(await database.blobs.where('hash').anyOf(keys).primaryKeys());
  for (const { row } of lines) {
    if (present.has(row.hash)) {
      tally.unchanged += 1;
      continue;
    }
    await database.blobs.put(row);
    present.add(row.hash);
    tally.files += 1;
    changes.push(plainChange('blob', row.hash, 'put'));
  }
}
