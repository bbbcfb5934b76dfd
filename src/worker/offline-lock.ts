import { isOnDevice } from '../core/account';
import { AppError } from '../core/errors';
import { followSettings } from '../storage/settings';
import type { WorkerContext } from './context';

/**
 * The offline lock also ends what is already on its way: as soon as any tab turns it on, this worker's runs and downloads are stopped, and what
 * came is kept. A model of this device goes on: nothing of it leaves.
 */
export function obeyOfflineLock(context: WorkerContext): void {
  followSettings(
    context.environment.database,
    ({ offlineLock }) => {
      if (!offlineLock) return;
      context.sessions.stopAll((turn) => !isOnDevice(turn));
      context.localModels.pauseDownloads(new AppError('offline-lock')).catch((error: unknown) => {
        context.audience.failed(error, null);
      });
    },
    (error) => {
      context.audience.failed(error, null);
    },
  );
}
