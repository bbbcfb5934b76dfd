import { AppError } from '../../src/core/errors';
import type { ProviderIo } from '../../src/providers/provider';
import type { LocalModels } from '../../src/worker/local-models';

/** A device without models of its own, in a browser without one. */
export const noDevice: Pick<ProviderIo, 'local' | 'page'> = {
  page: { call: () => Promise.reject(new AppError('model-load-failed')) },
  local: {
    generate: () => {
      throw new AppError('model-not-downloaded');
    },
    look: () => Promise.reject(new AppError('model-not-downloaded')),
  },
};

/** The same for a worker's commands. */
export const noLocalModels: LocalModels = {
  ...noDevice.local,
  act: () => Promise.reject(new AppError('model-not-downloaded')),
  addFile: () => Promise.reject(new AppError('model-not-downloaded')),
  pauseDownloads: () => Promise.resolve(),
  warmUp: () => Promise.resolve(),
  serve: () => Promise.reject(new AppError('model-not-downloaded')),
};
