import { followSettings } from '../storage/settings';
import type { WorkerContext } from './context';

/** The offline lock also ends what is already on its way: as soon as any tab turns it on, this worker's runs are stopped and kept. */
export function obeyOfflineLock(context: WorkerContext): void {
  followSettings(
    context.environment.database,
    ({ offlineLock }) => {
      if (offlineLock) context.sessions.stopAll();
    },
    (error) => {
      context.audience.failed(error, null);
    },
  );
}
