import type { Table } from 'dexie';
import { AppError } from '../core/errors';
import type { ConversationRow, JackdawDatabase } from './db';
import { stored } from './open';

/**
 * One transaction over everything that belongs to conversations; the writes of `conversations.ts`, `tree.ts`, `runs.ts` and `drafts.ts` join it, so
 * that several of them become one change. `work` must await nothing but the database. Throws the codes of `stored`.
 */
export function changeConversations<T>(database: JackdawDatabase, work: () => Promise<T>): Promise<T> {
  return stored(database, () => database.transaction('rw', conversationTables(database), work));
}

/** The row of a conversation that is not deleted. Throws `conversation-missing`. */
export async function livingConversation(database: JackdawDatabase, id: string): Promise<ConversationRow> {
  const row = await database.conversations.get(id);
  if (row === undefined || row.deletedAt > 0) throw new AppError('conversation-missing', { details: { conversationId: id } });
  return row;
}

function conversationTables(database: JackdawDatabase): Table[] {
  const { conversations, structure, content, sides, runs, waits, tombstones, blobReferences, outbox, drafts } = database;
  return [conversations, structure, content, sides, runs, waits, tombstones, blobReferences, outbox, drafts];
}
