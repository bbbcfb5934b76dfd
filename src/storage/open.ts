import Dexie from 'dexie';
import { AppError } from '../core/errors';
import { JackdawDatabase } from './db';
import { SCHEMA_VERSION } from './migrations';
import { isConnectionLost, toStorageError } from './storage-errors';

/** How long another tab may hold back an upgrade before the user is told that it will not end by itself. */
const BLOCKED_TIMEOUT_MS = 10_000;
/** Dexie multiplies versions by ten before it hands them to the browser. */
const NATIVE_VERSION_FACTOR = 10;
/** Listing takes a millisecond. Asked for while the browser clears a site, Chromium never answers, and everything would wait with it. */
const LISTING_LIMIT_MS = 1_000;
/** A connection that the browser cut is looked after once it has finished what it cut it for. */
const CUT_OFF_MS = 300;

/**
 * Connections that are closed for good, and why. Made way for a newer version: opening again would hold it up, or write with old rules. Deleted:
 * opening again would put an empty database in the place of what the page still shows, as if nothing had happened.
 */
const retired = new WeakMap<JackdawDatabase, 'storage-outdated' | 'storage-gone'>();
/** Reopenings in progress, so that a burst of failed operations opens once. */
const reopenings = new WeakMap<JackdawDatabase, Promise<void>>();
/** Databases that were open once, with who wants to hear that there is nothing left of them. */
const opened = new WeakMap<JackdawDatabase, () => void>();

export interface OpenOptions {
  readonly name?: string;
  /** Another tab holds an older version open; called at once, so that the page can ask for its closing. */
  onBlocked(): void;
  /** Another tab has a newer version: this connection is closed and the page must ask for a reload. */
  onOutdated(): void;
  /** What was stored was deleted while it was open (by another tab, the user or the browser): the page shows the last copy of it. */
  onGone?(): void;
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
  const onGone = (): void => options.onGone?.();
  database.on('versionchange', ({ newVersion }) => {
    const isDeleted = newVersion === null;
    retired.set(database, isDeleted ? 'storage-gone' : 'storage-outdated');
    database.close();
    if (isDeleted) onGone();
    else options.onOutdated();
    return false;
  });
  // Called where a database is made anew. Thrown in here, it is not made.
  database.on('populate', () => {
    if (opened.has(database)) throw new AppError('storage-gone');
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
    opened.set(database, onGone);
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
 * `storage-gone`, `storage-closed` (retryable) or `storage-failed`. A lost connection is opened again once and `work` is repeated: it has to be one transaction,
 * or do no harm when done twice. Inside a surrounding transaction nothing is repeated. AppErrors and aborts pass unchanged.
 */
export async function stored<T>(database: JackdawDatabase, work: () => Promise<T>): Promise<T> {
  const isNested = isInTransaction();
  const connection = connectionOf(database);
  try {
    return await work();
  } catch (error) {
    if (isNested || !isConnectionLost(error)) throw toStorageError(error);
    return await afterReopening(database, reopen(database, connection, error), work);
  }
}

/**
 * A live query knows what its work reads by a zone that gets lost on the way through `reopen`; only the library's own promise carries it over.
 * Without it the query would answer once more, and never again.
 */
async function afterReopening<T>(database: JackdawDatabase, reopening: Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await Dexie.Promise.resolve(reopening).then(work);
  } catch (error) {
    throw retirement(database, error) ?? toStorageError(error);
  }
}

/** Why a connection that was closed for good is closed; undefined where it was not. */
function retirement(database: JackdawDatabase, cause: unknown): AppError | undefined {
  const code = retired.get(database);
  return code === undefined ? undefined : new AppError(code, { cause });
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
  const isOver = retirement(database, cause);
  if (isOver !== undefined) throw isOver;
  // Another operation has done it already.
  if (database.isOpen() && connectionOf(database) !== failed) return;
  database.close();
  const opening = openCurrent(database)
    .catch((error: unknown) => {
      const known = toStorageError(error);
      if (isGone(known)) retireGone(database);
      if (known instanceof AppError && (known.code === 'storage-outdated' || known.code === 'storage-gone')) throw known;
      throw new AppError('storage-closed', { retryable: true, cause });
    })
    .finally(() => reopenings.delete(database));
  reopenings.set(database, opening);
  return opening;
}

function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'storage-gone';
}

function retireGone(database: JackdawDatabase): void {
  if (retired.has(database)) return;
  retired.set(database, 'storage-gone');
  opened.get(database)?.();
}

/**
 * Opens a database object that exists already. Throws `storage-outdated` where the one on disk is newer: the library would open it all the
 * same, and repair its schema backwards.
 */
async function openCurrent(database: JackdawDatabase): Promise<void> {
  if (isNewer(await versionOnDisk(database.name))) throw new AppError('storage-outdated');
  await database.open();
  const connection = database.backendDB();
  // Where the browser can't list databases, the look afterwards is all there is.
  if (isNewer(connection.version)) {
    database.close();
    throw new AppError('storage-outdated');
  }
  // Fired by the browser alone, never by a `close` of ours: it cleared the site's data, or lost its way. An idle page must hear of that too.
  connection.addEventListener('close', () => {
    scheduleByTimer(() => void reopen(database, connection, undefined).catch(() => undefined), CUT_OFF_MS);
  });
}

function isNewer(nativeVersion: number): boolean {
  return nativeVersion >= (SCHEMA_VERSION + 1) * NATIVE_VERSION_FACTOR;
}

async function versionOnDisk(name: string): Promise<number> {
  if (typeof indexedDB.databases !== 'function') return 0;
  let cancelLimit = (): void => undefined;
  const unanswered = new Promise<IDBDatabaseInfo[]>((resolve) => {
    cancelLimit = scheduleByTimer(() => resolve([]), LISTING_LIMIT_MS);
  });
  try {
    const known = await Promise.race([indexedDB.databases(), unanswered]);
    return known.find((database) => database.name === name)?.version ?? 0;
  } finally {
    cancelLimit();
  }
}

function scheduleByTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
