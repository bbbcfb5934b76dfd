import type { JackdawDatabase, OutboxRow } from './db';

/** A change before it has its number and its time. */
export type Change = Omit<OutboxRow, 'seq' | 'at'>;

/** Says what changed at `at` (epoch ms). Must run in the transaction of the change itself, or change and note could part. */
export async function noteChanges(database: JackdawDatabase, changes: readonly Change[], at: number): Promise<void> {
  if (changes.length > 0) await database.outbox.bulkAdd(changes.map((change) => ({ ...change, at })));
}

/** The note of a node's change. */
export function nodeChange(id: string, conversationId: string, change: Change['change']): Change {
  return { entity: 'node', id, conversationId, change };
}

/** The note of a change outside conversations. */
export function plainChange(entity: 'blob' | 'account' | 'setting', id: string, change: Change['change']): Change {
  return { entity, id, conversationId: '', change };
}
