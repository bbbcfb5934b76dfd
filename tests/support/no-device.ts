import { AppError } from '../../src/core/errors';
import type { ProviderIo } from '../../src/providers/provider';

/** A device without models of its own, and a page without a built-in one. */
export const noDevice: Pick<ProviderIo, 'local' | 'page'> = {
  local: {
    generate: () => {
      throw new AppError('model-not-downloaded');
    },
    look: () => Promise.reject(new AppError('model-not-downloaded')),
  },
  page: { call: () => Promise.reject(new AppError('browser-model-unavailable')) },
};
