import { expect, test } from 'vitest';
import { collectBlobs, readBlob, saveBlob } from '../../src/storage/blobs';
import { createConversation, markDeleted, purgeDeleted } from '../../src/storage/conversations';
import { deleteDraft, readDraft, saveDraft } from '../../src/storage/drafts';
import { consumeOutbox } from '../../src/storage/outbox';
import { OUTBOX_CONSUMERS } from '../../src/storage/outbox-consumers';
import { appendNodes, deleteNode } from '../../src/storage/tree';
import { storageUse } from '../../src/storage/usage';
import { freshDatabase, nodeId, pictureNode, stampAt, userNode } from './support';

const HOUR_MS = 3_600_000;
const signal = new AbortController().signal;
const bytesOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
const attachment = (blob: string) => ({ kind: 'image', blob, mimeType: 'image/png', name: 'a.png', sizeBytes: 3 }) as const;

test('the same bytes are stored once, under their SHA-256', async () => {
  const database = await freshDatabase();
  const hash = await saveBlob(database, bytesOf('abc'), 'image/png', 10);
  expect(hash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(await saveBlob(database, bytesOf('abc'), 'image/jpeg', 20)).toBe(hash);
  expect(await database.blobs.count()).toBe(1);
  const row = await readBlob(database, hash);
  expect(row).toMatchObject({ mimeType: 'image/png', sizeBytes: 3, createdAt: 20 });
  expect(new TextDecoder().decode(row?.body.bytes)).toBe('abc');
  expect(await readBlob(database, 'f'.repeat(64))).toBeUndefined();
});

test('a blob lives as long as one message, copy or draft names it', async () => {
  const database = await freshDatabase();
  await createConversation(database, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  await createConversation(database, { id: 'c2', assistantId: 'munin' }, stampAt(1));
  const blob = await saveBlob(database, bytesOf('abc'), 'image/png', 10);
  const isKept = async () => {
    await collectBlobs(database, 100);
    return (await readBlob(database, blob)) !== undefined;
  };
  await saveDraft(database, 'new', { text: '', attachments: [attachment(blob), attachment(blob)] }, 11);
  expect(await isKept()).toBe(true);
  await appendNodes(database, 'c1', [pictureNode(0, null, blob), pictureNode(1, 0, blob)], stampAt(12));
  await appendNodes(database, 'c2', [pictureNode(2, null, blob)], stampAt(12));
  await deleteDraft(database, 'new');
  expect(await database.blobReferences.count()).toBe(3);
  await deleteNode(database, 'c1', nodeId(0), stampAt(13));
  await deleteNode(database, 'c1', nodeId(1), stampAt(14));
  expect(await isKept()).toBe(true);
  await markDeleted(database, 'c2', stampAt(15));
  expect(await isKept()).toBe(true);
  await purgeDeleted(database, 16, stampAt(16));
  expect(await isKept()).toBe(false);
});

test('a file that was just attached is left alone, also when it was stored long ago', async () => {
  const database = await freshDatabase();
  const old = await saveBlob(database, bytesOf('old'), 'image/png', 10);
  const again = await saveBlob(database, bytesOf('again'), 'image/png', 10);
  await saveBlob(database, bytesOf('again'), 'image/png', 500);
  expect(await collectBlobs(database, 500)).toBe(1);
  expect(await readBlob(database, old)).toBeUndefined();
  expect(await readBlob(database, again)).toBeDefined();
});

test('the collector follows deletions through the outbox', async () => {
  const database = await freshDatabase();
  await createConversation(database, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  const blob = await saveBlob(database, bytesOf('abc'), 'image/png', 10);
  await appendNodes(database, 'c1', [userNode(0, null), pictureNode(1, 0, blob)], stampAt(12));
  await consumeOutbox(database, OUTBOX_CONSUMERS, signal);
  expect(await readBlob(database, blob)).toBeDefined();
  await deleteNode(database, 'c1', nodeId(1), stampAt(HOUR_MS + 10));
  await consumeOutbox(database, OUTBOX_CONSUMERS, signal);
  expect(await readBlob(database, blob)).toBeDefined();
  await deleteNode(database, 'c1', nodeId(0), stampAt(HOUR_MS + 11));
  await consumeOutbox(database, OUTBOX_CONSUMERS, signal);
  expect(await readBlob(database, blob)).toBeUndefined();
});

test('a draft replaces its references as a whole and an empty one is removed', async () => {
  const database = await freshDatabase();
  const draft = { text: 'look', attachments: [attachment('a'.repeat(64))] };
  await saveDraft(database, 'c1', draft, 1);
  expect(await readDraft(database, 'c1')).toEqual(draft);
  await saveDraft(database, 'c1', { text: '', attachments: [attachment('b'.repeat(64))] }, 2);
  expect(await database.blobReferences.toArray()).toEqual([{ hash: 'b'.repeat(64), ownerId: 'draft:c1', conversationId: 'c1' }]);
  await saveDraft(database, 'c1', { text: '  ', attachments: [] }, 3);
  expect(await readDraft(database, 'c1')).toBeUndefined();
  expect(await database.blobReferences.count()).toBe(0);
});

test('use of storage counts living messages and adds up files', async () => {
  const database = await freshDatabase();
  await createConversation(database, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  await appendNodes(database, 'c1', [userNode(0, null), userNode(1, 0), userNode(2, 1)], stampAt(2));
  await deleteNode(database, 'c1', nodeId(1), stampAt(3));
  await saveBlob(database, bytesOf('abc'), 'image/png', 10);
  await saveBlob(database, bytesOf('defgh'), 'image/png', 10);
  expect(await storageUse(database, { usage: 1000 })).toEqual({
    conversations: 1,
    nodes: 2,
    blobs: 2,
    blobBytes: 8,
    usedBytes: 1000,
    quotaBytes: null,
  });
});
