import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listAccounts } from '../../src/storage/accounts';
import { collectBlobs, readBlob } from '../../src/storage/blobs';
import { readBranch, readNode } from '../../src/storage/content';
import { listConversations } from '../../src/storage/conversations';
import type { JackdawDatabase } from '../../src/storage/db';
import { readDraft } from '../../src/storage/drafts';
import { deviceId } from '../../src/storage/meta';
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/storage/migrations';
import { consumeOutbox } from '../../src/storage/outbox';
import { OUTBOX_CONSUMERS } from '../../src/storage/outbox-consumers';
import { readSettings } from '../../src/storage/settings';
import { readTree, selectNode } from '../../src/storage/tree';
import { storageUse } from '../../src/storage/usage';
import { freshDatabase, stampAt } from './support';

interface StoredDatabase {
  readonly nativeVersion: number;
  readonly stores: readonly {
    readonly name: string;
    readonly keyPath: string | string[];
    readonly autoIncrement: boolean;
    readonly indexes: readonly { readonly name: string; readonly keyPath: string | string[] }[];
  }[];
  readonly rows: Readonly<Record<string, readonly unknown[]>>;
}

const COLUMNS = { Uint8Array, Int32Array, Uint32Array, Float64Array };
const DOT = '6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0';
const PICTURE = 'a1f0c2d4-1111-4a4a-8b8b-000000000001';
const HELLO = 'a1f0c2d4-2222-4a4a-8b8b-000000000002';
const node = (number: number) => `5d0c1a7e-8f42-4b6d-9c31-${number.toString(16).padStart(12, '0')}`;

/** Numbers in the file are written out; the database holds them packed. */
function unpack(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('values' in value) || !('type' in value)) return value;
  const numbers = Array.isArray(value.values) ? value.values.map(Number) : [];
  if (value.type === 'ArrayBuffer') return Uint8Array.from(numbers).buffer;
  const column = Object.entries(COLUMNS).find(([name]) => name === value.type)?.[1];
  return column === undefined ? value : column.from(numbers);
}

/** Puts a stored database into IndexedDB as the app of its time left it, without any code of ours. */
function restore(name: string, file: string): Promise<void> {
  const stored: StoredDatabase = JSON.parse(readFileSync(new URL(`../fixtures/databases/${file}`, import.meta.url), 'utf8'), unpack);
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, stored.nativeVersion);
    request.onerror = () => reject(new Error(`could not restore ${file}`));
    request.onupgradeneeded = () => {
      for (const { name: store, keyPath, autoIncrement, indexes } of stored.stores) {
        const created = request.result.createObjectStore(store, { keyPath, autoIncrement });
        for (const index of indexes) created.createIndex(index.name, index.keyPath);
        for (const row of stored.rows[store] ?? []) created.put(row);
      }
    };
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  });
}

async function migrated(name: string): Promise<JackdawDatabase> {
  await restore(name, 'v1.json');
  return freshDatabase(name);
}

test('a database of version 1 reads right after the upgrade', async () => {
  const database = await migrated('from-1');
  expect(database.verno).toBe(SCHEMA_VERSION);
  const { conversations } = await listConversations(database, { limit: 10 });
  expect(conversations.map(({ id, title, titleBy, pinned }) => [id, title, titleBy, pinned])).toEqual([
    [PICTURE, 'A picture of a dot', 'user', true],
    [HELLO, 'Hello', 'local', false],
  ]);
  expect(conversations[0]?.model).toEqual({ accountId: 'acc-local', modelId: 'llama3.2:3b' });
  const branch = await readBranch(database, PICTURE, { limit: 10 });
  expect(branch?.nodes.map(({ id, status }) => [id, status])).toEqual([
    [node(1), 'complete'],
    [node(3), 'complete'],
    [node(4), 'complete'],
    [node(5), 'interrupted'],
  ]);
  expect(branch?.nodes[1]?.siblings).toEqual([node(2), node(3)]);
  expect(branch?.nodes[1]?.steps[0]?.parts).toMatchObject([{ type: 'reasoning', text: 'Very small.' }, { text: 'One pixel, 一个像素.' }]);
  expect((await readNode(database, PICTURE, node(2)))?.steps[0]).toMatchObject({ usage: { inputTokens: 40, outputTokens: 5 } });
  expect((await readBranch(database, HELLO, { limit: 10 }))?.nodes.map(({ id, parentId }) => [id, parentId])).toEqual([
    [node(33), null],
    [node(35), node(33)],
  ]);
  expect((await readTree(database, HELLO)).entries[1]?.status).toBe('deleted');
  expect(await readDraft(database, HELLO)).toMatchObject({ text: 'half a thought', attachments: [{ blob: DOT }] });
  expect(await listAccounts(database)).toMatchObject([{ id: 'acc-local', baseUrl: 'http://localhost:11434/v1', hasKey: false }]);
  expect(await readSettings(database)).toMatchObject({ theme: 'dark', defaultModel: { modelId: 'llama3.2:3b' } });
  expect(await deviceId(database, () => 'another')).toBe('f3b1c9d2-0000-4000-8000-00000000000a');
});

test('what the upgrade added works on rows from before', async () => {
  const database = await migrated('from-1-index');
  expect(await storageUse(database, {})).toMatchObject({ conversations: 2, nodes: 8, blobs: 1, blobBytes: 70 });
  const indexes = Object.fromEntries(database.tables.map((table) => [table.name, table.schema.indexes.map((index) => index.name)]));
  expect(indexes['blobs']).toEqual(['[createdAt+sizeBytes]']);
  expect(await collectBlobs(database, Number.MAX_SAFE_INTEGER)).toBe(0);
  await database.blobReferences.clear();
  expect(await collectBlobs(database, Number.MAX_SAFE_INTEGER)).toBe(1);
  expect(await readBlob(database, DOT)).toBeUndefined();
});

test('changes that were written before they had a time are consumed', async () => {
  const database = await migrated('from-1-outbox');
  await consumeOutbox(database, OUTBOX_CONSUMERS, new AbortController().signal);
  expect(await database.outbox.count()).toBe(0);
  expect(await readBlob(database, DOT)).toBeDefined();
  await selectNode(database, PICTURE, node(6), stampAt(1));
  expect((await readBranch(database, PICTURE, { limit: 1 }))?.nodes[0]?.id).toBe(node(6));
});

test('there is a stored database of every released version, and versions only grow', () => {
  const versions = MIGRATIONS.map((migration) => migration.version);
  expect(versions).toEqual(versions.map((_version, place) => place + 1));
});
