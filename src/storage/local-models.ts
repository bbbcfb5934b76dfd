import type { JackdawDatabase, LocalModelRecord } from './db';
import { stored } from './open';

/** All records, in no order. */
export function listLocalModels(database: JackdawDatabase): Promise<readonly LocalModelRecord[]> {
  return stored(database, async () => (await database.localModels.toArray()).map((row) => row.body));
}

/** Stores the record of a model in place of the one before; null removes it. */
export function saveLocalModel(database: JackdawDatabase, id: string, record: LocalModelRecord | null): Promise<void> {
  return stored(database, async () => {
    if (record === null) await database.localModels.delete(id);
    else await database.localModels.put({ id, body: record });
  });
}
