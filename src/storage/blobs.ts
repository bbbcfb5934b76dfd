import Dexie from 'dexie';
import type { BlobRow, JackdawDatabase } from './db';
import { stored } from './open';
import { noteChanges, plainChange } from './outbox-rows';

/** Blobs looked at in one transaction of the collector, so that it never holds up a write for long. */
const COLLECT_BATCH = 100;

/** SHA-256 of bytes, in lower-case hexadecimal. */
export async function hashOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Stores bytes once and returns their SHA-256. Bytes that are there already only become young again (`at`, epoch ms), so that the collector leaves
 * them to whoever attaches them now. Hashing takes time: call it outside a transaction.
 */
export async function saveBlob(database: JackdawDatabase, bytes: ArrayBuffer, mimeType: string, at: number): Promise<string> {
  const hash = await hashOf(bytes);
  const row: BlobRow = { hash, mimeType, sizeBytes: bytes.byteLength, createdAt: at, body: { bytes } };
  await stored(database, () =>
    database.transaction('rw', [database.blobs, database.outbox], async () => {
      const present = await database.blobs.get(hash);
      if (present !== undefined && present.createdAt >= at) return;
      await database.blobs.put(present === undefined ? row : { ...present, createdAt: at });
      if (present === undefined) await noteChanges(database, [plainChange('blob', hash, 'put')], at);
    }),
  );
  return hash;
}

/** A stored file, or undefined where it is gone. */
export function readBlob(database: JackdawDatabase, hash: string): Promise<BlobRow | undefined> {
  return stored(database, () => database.blobs.get(hash));
}

/**
 * Removes blobs that nothing names and that are older than `olderThan` (epoch ms): one that was attached a moment ago has no owner yet.
 * Returns how many. An abort ends it between two batches; what is removed stays removed.
 */
export async function collectBlobs(database: JackdawDatabase, olderThan: number, signal?: AbortSignal): Promise<number> {
  const hashes = await stored(database, () =>
    database.blobs.where('[createdAt+sizeBytes]').between([Dexie.minKey], [olderThan], true, false).primaryKeys(),
  );
  let removed = 0;
  for (let start = 0; start < hashes.length; start += COLLECT_BATCH) {
    signal?.throwIfAborted();
    removed += await collectBatch(database, hashes.slice(start, start + COLLECT_BATCH), olderThan);
  }
  return removed;
}

function collectBatch(database: JackdawDatabase, hashes: readonly string[], olderThan: number): Promise<number> {
  return stored(database, () =>
    database.transaction('rw', [database.blobs, database.blobReferences, database.outbox], async () => {
      const [stillOld, used] = await Promise.all([
        database.blobs.where('[createdAt+sizeBytes]').between([Dexie.minKey], [olderThan], true, false).primaryKeys(),
        Promise.all(hashes.map((hash) => isReferenced(database, hash))),
      ]);
      const old = new Set(stillOld);
      const unused = hashes.filter((hash, index) => used[index] === false && old.has(hash));
      await database.blobs.bulkDelete(unused);
      await noteChanges(
        database,
        unused.map((hash) => plainChange('blob', hash, 'delete')),
        olderThan,
      );
      return unused.length;
    }),
  );
}

async function isReferenced(database: JackdawDatabase, hash: string): Promise<boolean> {
  const range = database.blobReferences.where('[hash+ownerId]').between([hash, Dexie.minKey], [hash, Dexie.maxKey]);
  return (await range.limit(1).count()) > 0;
}
