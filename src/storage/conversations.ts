import Dexie from 'dexie';
import { tick } from '../core/clock';
import type { ModelReference } from '../core/node';
import type { ChatControls, ToolPolicies } from '../core/tool';
import { changeConversations, livingConversation } from './change';
import type { ConversationRow, JackdawDatabase, SideRow, SideValues } from './db';
import { stored } from './open';
import { noteChanges } from './outbox-rows';
import { controlsOf, modelOf, putSide, titleOf, toolPoliciesOf } from './sides';
import type { Stamp } from './stamp';

export interface ConversationSummary {
  readonly id: string;
  /** Empty until somebody gives one. */
  readonly title: string;
  readonly titleBy: SideValues['title']['by'] | null;
  readonly pinned: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms of the last message. */
  readonly updatedAt: number;
  /** The model that the user chose for this conversation; null: that of new conversations. */
  readonly model: ModelReference | null;
}

export interface Conversation extends ConversationSummary {
  readonly assistantId: string;
  /** Its mode and switches; null: those of new conversations. */
  readonly controls: ChatControls | null;
  /** What the user decided about tools for this conversation alone. */
  readonly toolPolicies: ToolPolicies;
}

/** Who may replace whose title: the higher number wins, equals replace each other. */
const TITLE_RANK = { local: 1, model: 2, user: 3 } as const;

/** The first `limit` conversations that are not deleted: pinned ones first, then the latest message first. Usable as a live query. */
export function listConversations(
  database: JackdawDatabase,
  options: { readonly limit: number },
): Promise<{ conversations: ConversationSummary[]; hasMore: boolean }> {
  const { limit } = options;
  return stored(database, () =>
    database.transaction('r', [database.conversations, database.sides], async () => {
      const found = await database.conversations
        .where('[deletedAt+pinned+updatedAt]')
        .between([0], [0, Dexie.maxKey])
        .reverse()
        .limit(limit + 1)
        .toArray();
      const rows = found.slice(0, limit);
      const titles = await database.sides.bulkGet(rows.map((row): [string, string] => [row.id, 'title']));
      const models = await database.sides.bulkGet(rows.map((row): [string, string] => [row.id, 'model']));
      return { conversations: rows.map((row, index) => summaryOf(row, titles[index], models[index])), hasMore: found.length > limit };
    }),
  );
}

/** One conversation, or undefined where there is none or it is deleted. Usable as a live query. */
export function readConversation(database: JackdawDatabase, id: string): Promise<Conversation | undefined> {
  return stored(database, () =>
    database.transaction('r', [database.conversations, database.sides], async () => {
      const row = await database.conversations.get(id);
      if (row === undefined || row.deletedAt > 0) return undefined;
      const [title, model, controls, policies] = await database.sides.bulkGet([
        [id, 'title'],
        [id, 'model'],
        [id, 'controls'],
        [id, 'tool-policies'],
      ]);
      const { assistantId } = row.body;
      return { ...summaryOf(row, title, model), assistantId, controls: controlsOf(controls), toolPolicies: toolPoliciesOf(policies) };
    }),
  );
}

/** Writes a new, empty conversation. One that exists already is left as it is. */
export function createConversation(
  database: JackdawDatabase,
  conversation: { readonly id: string; readonly assistantId: string },
  stamp: Stamp,
): Promise<void> {
  const { id, assistantId } = conversation;
  return changeConversations(database, async () => {
    if ((await database.conversations.get(id)) !== undefined) return;
    const clock = tick(undefined, stamp.at, stamp.device);
    await database.conversations.add({
      id,
      createdAt: stamp.at,
      updatedAt: stamp.at,
      pinned: 0,
      deletedAt: 0,
      clock,
      body: { assistantId },
    });
    await noteConversation(database, id, 'put', stamp.at);
  });
}

/** Gives a title, unless the present one ranks higher: the user's before a model's before the local rule's. Throws `conversation-missing`. */
export function setTitle(database: JackdawDatabase, id: string, title: string, by: SideValues['title']['by'], stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    await livingConversation(database, id);
    const present = titleOf(await database.sides.get([id, 'title']));
    if (present !== null && TITLE_RANK[present.by] > TITLE_RANK[by]) return;
    await putSide(database, { targetId: id, field: 'title', conversationId: id, value: { text: title, by } }, stamp);
  });
}

/** Keeps a conversation at the top of the list, or no longer. Throws `conversation-missing`. */
export function setPinned(database: JackdawDatabase, id: string, pinned: boolean, stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    await livingConversation(database, id);
    await putSide(database, { targetId: id, field: 'pinned', conversationId: id, value: pinned }, stamp);
    await database.conversations.update(id, { pinned: pinned ? 1 : 0 });
  });
}

/** Remembers the model of a conversation. Throws `conversation-missing`. */
export function setConversationModel(database: JackdawDatabase, id: string, model: ModelReference, stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    await livingConversation(database, id);
    const value = { accountId: model.accountId, modelId: model.modelId };
    await putSide(database, { targetId: id, field: 'model', conversationId: id, value }, stamp);
  });
}

/** Remembers mode and switches of a conversation. Throws `conversation-missing`. */
export function setConversationControls(database: JackdawDatabase, id: string, controls: ChatControls, stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    await livingConversation(database, id);
    await putSide(database, { targetId: id, field: 'controls', conversationId: id, value: controls }, stamp);
  });
}

/** Adds decisions about tools that hold in this conversation. Throws `conversation-missing`. */
export function addToolPolicies(database: JackdawDatabase, id: string, policies: ToolPolicies, stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    await livingConversation(database, id);
    const tools = { ...toolPoliciesOf(await database.sides.get([id, 'tool-policies'])), ...policies };
    await putSide(database, { targetId: id, field: 'tool-policies', conversationId: id, value: { tools } }, stamp);
  });
}

/** Moves a conversation to `at` (epoch ms) in the list. Throws `conversation-missing`. */
export function touchConversation(database: JackdawDatabase, id: string, at: number): Promise<void> {
  return changeConversations(database, async () => {
    await livingConversation(database, id);
    await database.conversations.update(id, { updatedAt: at });
  });
}

/** Takes a conversation out of the list; everything of it stays until `purgeDeleted`. Doing it twice keeps the first time. Throws `conversation-missing`. */
export function markDeleted(database: JackdawDatabase, id: string, stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    const row = await database.conversations.get(id);
    if (row?.deletedAt !== undefined && row.deletedAt > 0) return;
    const living = await livingConversation(database, id);
    await database.conversations.update(id, { deletedAt: stamp.at, clock: tick(living.clock, stamp.at, stamp.device) });
    await noteConversation(database, id, 'delete', stamp.at);
  });
}

/** Takes a deletion back. Throws `conversation-missing` once it is purged. */
export function restoreConversation(database: JackdawDatabase, id: string, stamp: Stamp): Promise<void> {
  return changeConversations(database, async () => {
    const row = await database.conversations.get(id);
    if (row?.deletedAt === undefined || row.deletedAt === 0) {
      await livingConversation(database, id);
      return;
    }
    await database.conversations.update(id, { deletedAt: 0, clock: tick(row.clock, stamp.at, stamp.device) });
    await noteConversation(database, id, 'put', stamp.at);
  });
}

/**
 * Removes every row of the conversations that were deleted before `before` (epoch ms) and leaves a tombstone for each. Their files lose their
 * references here and are removed by the blob collector. Returns how many; one transaction each, so that what is done stays done.
 */
export async function purgeDeleted(database: JackdawDatabase, before: number, stamp: Stamp): Promise<number> {
  const ids = await stored(database, () =>
    database.conversations.where('[deletedAt+pinned+updatedAt]').between([1], [before], true, false).primaryKeys(),
  );
  let purged = 0;
  for (const id of ids) {
    if (await changeConversations(database, () => purgeConversation(database, id, before, stamp))) purged += 1;
  }
  return purged;
}

async function purgeConversation(database: JackdawDatabase, id: string, before: number, stamp: Stamp): Promise<boolean> {
  const row = await database.conversations.get(id);
  // Restored, or purged by another tab, since the list was read.
  if (row === undefined || row.deletedAt === 0 || row.deletedAt >= before) return false;
  await database.structure.where('[conversationId+block]').between([id, Dexie.minKey], [id, Dexie.maxKey]).delete();
  await database.content.where('conversationId').equals(id).delete();
  await database.sides.where('[conversationId+field]').between([id, Dexie.minKey], [id, Dexie.maxKey]).delete();
  await database.tombstones.where('conversationId').equals(id).delete();
  await database.blobReferences.where('conversationId').equals(id).delete();
  await database.runs.delete(id);
  await database.waits.where('conversationId').equals(id).delete();
  await database.drafts.delete(id);
  await database.conversations.delete(id);
  const clock = tick(row.clock, stamp.at, stamp.device);
  await database.tombstones.put({ id, kind: 'conversation', parentId: null, conversationId: id, deletedAt: row.deletedAt, clock });
  await noteConversation(database, id, 'delete', stamp.at);
  return true;
}

function noteConversation(database: JackdawDatabase, id: string, change: 'put' | 'delete', at: number): Promise<void> {
  return noteChanges(database, [{ entity: 'conversation', id, conversationId: id, change }], at);
}

function summaryOf(row: ConversationRow, title: SideRow | undefined, model: SideRow | undefined): ConversationSummary {
  const given = titleOf(title);
  return {
    id: row.id,
    title: given?.text ?? '',
    titleBy: given?.by ?? null,
    pinned: row.pinned === 1,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    model: modelOf(model),
  };
}
