import { AppError } from '../core/errors';

/** What can't fit is not begun: `storage-quota`. Browsers keep some of the disk to themselves, and say so coarsely. */
export async function refuseWhereNoSpace(needBytes: number): Promise<void> {
  const { quota, usage } = await navigator.storage.estimate();
  if (quota === undefined || usage === undefined || needBytes <= quota - usage) return;
  throw new AppError('storage-quota', { details: { needBytes, haveBytes: Math.max(0, quota - usage) } });
}

/** A failure of the file system or of a cache as a code: a full disk, or anything else. */
export function quotaOr(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return new AppError(isFull ? 'storage-quota' : 'storage-failed', { cause: error });
}
