import { AppError } from '../core/errors';

/** Left free by a download, for the conversations that are to be had with it. */
export const SPACE_RESERVE_BYTES = 64 * 1024 ** 2;

/** What can't fit is not begun: `storage-quota` with `needBytes` and `haveBytes`. Browsers say coarsely what they have. */
export async function refuseWhereNoSpace(needBytes: number): Promise<void> {
  const { quota, usage } = await navigator.storage.estimate();
  if (quota === undefined || usage === undefined || needBytes <= 0 || needBytes + SPACE_RESERVE_BYTES <= quota - usage) return;
  throw new AppError('storage-quota', { details: { needBytes, haveBytes: Math.max(0, quota - usage) } });
}

/** A failure of the file system or of a cache as a code: a full disk, or anything else. */
export function quotaOr(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const name = error instanceof Error ? error.name : '';
  return name === 'QuotaExceededError'
    ? new AppError('storage-quota', { cause: error })
    : new AppError('storage-failed', { details: { name }, cause: error });
}
