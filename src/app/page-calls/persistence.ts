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

/**
 * Asks again where Jackdaw is installed: to an installed app browsers say yes without asking anybody, and one that refused a tab may think
 * better of it. Call it once at the start. Never throws.
 */
export function keepDataOfInstalledApp(
  page: { matchMedia(query: string): { readonly matches: boolean }; addEventListener(type: 'appinstalled', listener: () => void): void },
  storage: Pick<StorageManager, 'persist' | 'persisted'> | undefined,
): void {
  const ask = async (): Promise<void> => {
    if ((await storage?.persisted()) === false) await storage?.persist();
  };
  const askQuietly = (): void => void ask().catch(() => undefined);
  if (page.matchMedia('(display-mode: standalone)').matches) askQuietly();
  page.addEventListener('appinstalled', askQuietly);
}
