import type { JackdawDatabase } from '../../storage/db';
import { readMeta, writeMeta } from '../../storage/meta';

/**
 * Asks the browser once, after the first message, not to clear what is stored here when space runs low. Never throws: without a yes
 * everything works, and the user can be told in the settings.
 */
export async function askToKeepData(database: JackdawDatabase, storage: Pick<StorageManager, 'persist'> | undefined): Promise<void> {
  try {
    if ((await readMeta(database, 'persist-asked')) !== undefined) return;
    await writeMeta(database, 'persist-asked', true);
    // Missing on plain http, where nothing can be kept for sure.
    await storage?.persist();
  } catch {
    // The question is a courtesy; a message that was sent must not look failed because of it.
  }
}
