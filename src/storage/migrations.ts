import type Dexie from 'dexie';

/** One step of the schema. `stores` names only what changes; a step that is released is never edited again. */
interface Migration {
  readonly version: number;
  readonly stores: Readonly<Record<string, string>>;
  readonly upgrade?: (transaction: Parameters<Parameters<ReturnType<Dexie['version']>['upgrade']>[0]>[0]) => Promise<void>;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    stores: {
      conversations: 'id, [deletedAt+pinned+updatedAt]',
      structure: '[conversationId+block]',
      content: '[nodeId+step], conversationId',
      sides: '[targetId+field], [conversationId+field]',
      runs: 'conversationId',
      tombstones: 'id, conversationId',
      blobs: 'hash',
      blobReferences: '[hash+ownerId], ownerId, conversationId',
      outbox: '++seq',
      drafts: 'key',
      settings: 'key',
      accounts: 'id, position',
      keys: 'id',
      modelLists: 'accountId',
      meta: 'key',
      ledger: '++id, at',
    },
  },
  {
    version: 2,
    // Age and size of every blob as keys: what is old is found, and what is stored is added up, without loading the bytes of a single file.
    stores: { blobs: 'hash, [createdAt+sizeBytes]' },
  },
  { version: 3, stores: { localModels: 'id' } },
  { version: 4, stores: { waits: 'callId, conversationId, nodeId' } },
];

/** The version of the schema that this code writes. */
export const SCHEMA_VERSION = Math.max(...MIGRATIONS.map((migration) => migration.version));

/** Declares every version in order, so that a database of any age is brought up to the newest. */
export function applyMigrations(database: Dexie): void {
  for (const migration of MIGRATIONS) {
    const version = database.version(migration.version).stores(migration.stores);
    if (migration.upgrade !== undefined) version.upgrade(migration.upgrade);
  }
}
