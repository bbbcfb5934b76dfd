import Dexie from 'dexie';
import { AppError, isAbort } from '../core/errors';

/** How deep wrapped errors are followed: a request's error in an abort in a bulk error is three. */
const MAX_DEPTH = 6;
/** WebKit ends the process behind IndexedDB when an app was in the background; only the message says so. */
const SERVER_LOST = /connection to indexed database server lost/i;
const CLOSED_NAMES: ReadonlySet<string> = new Set(['DatabaseClosedError', 'InvalidStateError']);

/**
 * The `AppError` for anything that a storage operation threw: `storage-quota`, `storage-closed`, `storage-outdated` or `storage-failed`.
 * An `AppError` and the abort of a signal come back as they are.
 */
export function toStorageError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  // The library calls a transaction that failed an abort as well; only its own class tells it from a signal's.
  if (isAbort(error) && !(error instanceof Dexie.DexieError)) return error;
  const chain = withCauses(error);
  const known = chain.find((cause) => cause instanceof AppError);
  if (known !== undefined) return known;
  const names = chain.map(nameOf);
  if (names.includes('QuotaExceededError')) return new AppError('storage-quota', { cause: error });
  if (names.includes('VersionError')) return new AppError('storage-outdated', { cause: error });
  if (isConnectionLost(error)) return new AppError('storage-closed', { retryable: true, cause: error });
  return new AppError('storage-failed', { details: { name: nameOf(error) }, cause: error });
}

/** Whether the connection to the database is gone, so that opening it again may help. */
export function isConnectionLost(error: unknown): boolean {
  return withCauses(error).some((cause) => CLOSED_NAMES.has(nameOf(cause)) || (cause instanceof Error && SERVER_LOST.test(cause.message)));
}

/** The error and everything wrapped in it: causes, the library's `inner`, the failures of bulk operations. */
function withCauses(error: unknown, depth = 0): readonly unknown[] {
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return [error];
  const found: unknown[] = [error];
  if ('inner' in error && error.inner !== undefined) found.push(...withCauses(error.inner, depth + 1));
  if ('cause' in error && error.cause !== undefined) found.push(...withCauses(error.cause, depth + 1));
  if ('failures' in error && Array.isArray(error.failures)) found.push(...withCauses(error.failures[0], depth + 1));
  return found;
}

function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}
