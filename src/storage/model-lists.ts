import type { ModelInfo } from '../core/account';
import type { JackdawDatabase } from './db';
import { stored } from './open';

/** The models that an account's server listed last, or undefined where it was never asked. */
export function readModelList(database: JackdawDatabase, accountId: string): Promise<readonly ModelInfo[] | undefined> {
  return stored(database, async () => (await database.modelLists.get(accountId))?.body);
}

/** Keeps the models that an account's server listed at `at` (epoch ms). */
export function saveModelList(database: JackdawDatabase, accountId: string, models: readonly ModelInfo[], at: number): Promise<void> {
  return stored(database, async () => {
    await database.modelLists.put({ accountId, fetchedAt: at, body: models });
  });
}
