import Dexie from 'dexie';
import { AppError } from '../core/errors';
import { JackdawDatabase } from './db';
import { SCHEMA_VERSION } from './migrations';
import { isConnectionLost, toStorageError } from './storage-errors';

/** How long another tab may hold back an upgrade before the user is told that it will not end by itself. */
const BLOCKED_TIMEOUT_MS = 10_000;
/** Dexie multiplies versions by ten before it hands them to the browser. */
const NATIVE_VERSION_FACTOR = 10;

/** Connections that made way for a newer version: opening them again would hold it up, or write with old rules. */
const retired = new WeakSet<JackdawDatabase>();
/** Reopenings in progress, so that a burst of failed operations opens once. */
const reopenings = new WeakMap<JackdawDatabase, Promise<void>>();

export interface OpenOptions {
  readonly name?: string;
  /** Another tab holds an older version open; called at once, so that the page can ask for its closing. */
  onBlocked(): void;
  /** Another tab has a newer version (or deletes the data): this connection is closed and the page must ask for a reload. */
  onOutdated(): void;
  /** Calls back after a delay and returns its cancellation. `setTimeout` unless given. */
  readonly schedule?: (callback: () => void, delayMs: number) => () => void;
}

/**
 * Opens the database and brings it up to the newest schema.
 * Throws `storage-blocked` (retryable) when another tab still holds an older version after 10 s, `storage-outdated` when the database on disk
 * is newer than this code, `storage-failed` or `storage-quota` otherwise.
 */
export async function openDatabase(options: OpenOptions): Promise<JackdawDatabase> {
  const database = new JackdawDatabase(options.name);
  database.on('versionchange', () => {
    retired.add(database);
    database.close();
    options.onOutdated();
    return false;
  });
  const schedule = options.schedule ?? scheduleByTimer;
  let cancelTimeout = (): void => undefined;
  const blocked = new Promise<never>((_resolve, reject) => {
    database.on('blocked', () => {
      options.onBlocked();
      cancelTimeout();
      cancelTimeout = schedule(() => reject(new AppError('storage-blocked', { retryable: true })), BLOCKED_TIMEOUT_MS);
      return false;
    });
  });
  try {
    await Promise.race([openCurrent(database), blocked]);
    return database;
  } catch (error) {
    database.close();
    throw toStorageError(error);
  } finally {
    cancelTimeout();
  }
}

/**
 * Runs a read or a write and turns every failure of the database into its code, so that none is silent: `storage-quota`, `storage-outdated`,
 * `storage-closed` (retryable) or `storage-failed`. A lost connection is opened again once and `work` is repeated: it has to be one transaction,
 * or do no harm when done twice. Inside a surrounding transaction nothing is repeated. AppErrors and aborts pass unchanged.
 */
export async function stored<T>(database: JackdawDatabase, work: () => Promise<T>): Promise<T> {
  const isNested = isInTransaction();
  const connection = connectionOf(database);
  try {
    return await work();
  } catch (error) {
    if (isNested || !isConnectionLost(error)) throw toStorageError(error);
    if (retired.has(database)) throw new AppError('storage-outdated', { cause: error });
    await reopen(database, connection, error);
  }
  try {
    return await work();
  } catch (error) {
    throw toStorageError(error);
  }
}

function isInTransaction(): boolean {
  // Declared as always there, but null outside.
  const transaction: unknown = Dexie.currentTransaction;
  return transaction !== null && transaction !== undefined;
}

function connectionOf(database: JackdawDatabase): unknown {
  return database.isOpen() ? database.backendDB() : null;
}

async function reopen(database: JackdawDatabase, failed: unknown, cause: unknown): Promise<void> {
  const running = reopenings.get(database);
  if (running !== undefined) return running;
  // Another operation has done it already.
  if (database.isOpen() && connectionOf(database) !== failed) return;
  database.close();
  const opening = openCurrent(database)
    .catch((error: unknown) => {
      const known = toStorageError(error);
      if (known instanceof AppError && known.code === 'storage-outdated') throw known;
      throw new AppError('storage-closed', { retryable: true, cause });
    })
    .finally(() => reopenings.delete(database));
  reopenings.set(database, opening);
  return opening;
}

/**
 * Opens a database object that exists already. Throws `storage-outdated` where the one on disk is newer: the library would open it all the
 * same, and repair its schema backwards.
 */
async function openCurrent(database: JackdawDatabase): Promise<void> {
  if (isNewer(await versionOnDisk(database.name))) throw new AppError('storage-outdated');
  await database.open();
  // Where the browser can't list databases, the look afterwards is all there is.
  if (!isNewer(database.backendDB().version)) return;
  database.close();
  throw new AppError('storage-outdated');
}

function isNewer(nativeVersion: number): boolean {
  return nativeVersion >= (SCHEMA_VERSION + 1) * NATIVE_VERSION_FACTOR;
}

async function versionOnDisk(name: string): Promise<number> {
  if (typeof indexedDB.databases !== 'function') return 0;
  const found = (await indexedDB.databases()).find((database) => database.name === name);
  return found?.version ?? 0;
}

function scheduleByTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
