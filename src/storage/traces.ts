import type { JackdawDatabase } from './db';
import { stored } from './open';

/** `kept`: there are conversations, or deleted ones that can be restored. `deleted`: the user removed them all. `none`: there never were any here. */
export type ConversationTraces = 'kept' | 'deleted' | 'none';

/** Whether conversations are or were in this database. A deleted one leaves its tombstone, a database that was emptied leaves nothing. */
export function conversationTraces(database: JackdawDatabase): Promise<ConversationTraces> {
  const { conversations, tombstones } = database;
  return stored(database, () =>
    database.transaction('r', [conversations, tombstones], async () => {
      if ((await conversations.limit(1).count()) > 0) return 'kept';
      return (await tombstones.limit(1).count()) > 0 ? 'deleted' : 'none';
    }),
  );
}
