import { isEmptyDraft, type Draft } from '../core/draft';
import { draftOwner, dropReferences, replaceReferences } from './blob-references';
import { changeConversations } from './change';
import type { JackdawDatabase } from './db';
import { stored } from './open';

/** What the composer of a conversation (or `new`) holds, or undefined where nothing was left there. */
export function readDraft(database: JackdawDatabase, key: string): Promise<Draft | undefined> {
  return stored(database, async () => (await database.drafts.get(key))?.body);
}

/** Saves what the composer holds at `at` (epoch ms) and keeps its files alive. An empty draft is removed. */
export function saveDraft(database: JackdawDatabase, key: string, draft: Draft, at: number): Promise<void> {
  if (isEmptyDraft(draft)) return deleteDraft(database, key);
  return changeConversations(database, async () => {
    await database.drafts.put({ key, updatedAt: at, body: draft });
    const hashes = new Set(draft.attachments.map((file) => file.blob));
    const ownerId = draftOwner(key);
    await replaceReferences(
      database,
      ownerId,
      [...hashes].map((hash) => ({ hash, ownerId, conversationId: key })),
    );
  });
}

/** Removes a draft; its files are left to the blob collector. */
export function deleteDraft(database: JackdawDatabase, key: string): Promise<void> {
  return changeConversations(database, async () => {
    await database.drafts.delete(key);
    await dropReferences(database, draftOwner(key));
  });
}
