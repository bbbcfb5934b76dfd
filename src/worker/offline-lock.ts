import { liveQuery } from 'dexie';
import { toAppError } from '../core/errors';
import { readSettings } from '../storage/settings';
import type { WorkerContext } from './context';

/** The offline lock also ends what is already on its way: as soon as any tab turns it on, this worker's runs are stopped and kept. */
export function obeyOfflineLock(context: WorkerContext): void {
  const { database } = context.environment;
  liveQuery(async () => (await readSettings(database)).offlineLock).subscribe({
    next: (isLocked) => {
      if (isLocked) context.sessions.stopAll();
    },
    error: (error) => {
      context.feed.notice(toAppError(error), null);
    },
  });
}
