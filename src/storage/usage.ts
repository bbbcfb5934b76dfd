import Dexie from 'dexie';
import { NODE_STATUSES } from '../core/node';
import type { JackdawDatabase } from './db';
import { stored } from './open';

export interface StorageUse {
  /** Deleted ones that can still be restored among them. */
  readonly conversations: number;
  /** Messages, all branches, without deleted ones. */
  readonly nodes: number;
  readonly blobs: number;
  readonly blobBytes: number;
  /** What the browser says that this site takes, and may take; null where it says nothing. */
  readonly usedBytes: number | null;
  readonly quotaBytes: number | null;
}

/** What is stored here and how much of it. `estimate` is what `navigator.storage.estimate()` gave. Reads no content and no file. */
export function storageUse(database: JackdawDatabase, estimate: { readonly usage?: number; readonly quota?: number }): Promise<StorageUse> {
  const { conversations, structure, blobs } = database;
  return stored(database, () =>
    database.transaction('r', [conversations, structure, blobs], async () => {
      // A file's size is part of this index, so that adding up loads none of them.
      const sizes = await blobs.orderBy('[createdAt+sizeBytes]').keys();
      return {
        conversations: await conversations.count(),
        nodes: await countNodes(database),
        blobs: sizes.length,
        blobBytes: sizes.reduce<number>((sum, key) => sum + sizeOf(key), 0),
        usedBytes: estimate.usage ?? null,
        quotaBytes: estimate.quota ?? null,
      };
    }),
  );
}

async function countNodes(database: JackdawDatabase): Promise<number> {
  const deleted = NODE_STATUSES.indexOf('deleted');
  let nodes = 0;
  await database.structure
    .where('[conversationId+block]')
    .above([Dexie.minKey])
    .each((row) => {
      nodes += row.statuses.reduce((living, status) => (status === deleted ? living : living + 1), 0);
    });
  return nodes;
}

function sizeOf(key: unknown): number {
  const size: unknown = Array.isArray(key) ? key[1] : undefined;
  return typeof size === 'number' ? size : 0;
}
