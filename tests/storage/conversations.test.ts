import { liveQuery } from 'dexie';
import { expect, test } from 'vitest';
import { readBranch } from '../../src/storage/content';
import {
  createConversation,
  listConversations,
  markDeleted,
  purgeDeleted,
  readConversation,
  restoreConversation,
  setConversationModel,
  setPinned,
  setTitle,
  touchConversation,
} from '../../src/storage/conversations';
import type { JackdawDatabase } from '../../src/storage/db';
import { saveDraft } from '../../src/storage/drafts';
import { appendNodes, deleteNode } from '../../src/storage/tree';
import { codeOf, freshDatabase, nodeId, pictureNode, stampAt, userNode } from './support';

async function withConversations(count: number): Promise<JackdawDatabase> {
  const database = await freshDatabase();
  for (let place = 1; place <= count; place += 1) {
    await createConversation(database, { id: `c${place}`, assistantId: 'munin' }, stampAt(place * 100));
  }
  return database;
}

const listed = async (database: JackdawDatabase, limit = 50) =>
  (await listConversations(database, { limit })).conversations.map((conversation) => conversation.id);

test('the list shows pinned ones first, then the latest, and says when there is more', async () => {
  const database = await withConversations(5);
  await setPinned(database, 'c2', true, stampAt(1000));
  await touchConversation(database, 'c1', 2000);
  await markDeleted(database, 'c4', stampAt(3000));
  expect(await listed(database)).toEqual(['c2', 'c1', 'c5', 'c3']);
  const page = await listConversations(database, { limit: 2 });
  expect(page.conversations.map((conversation) => [conversation.id, conversation.pinned])).toEqual([
    ['c2', true],
    ['c1', false],
  ]);
  expect(page.hasMore).toBe(true);
  expect((await listConversations(database, { limit: 4 })).hasMore).toBe(false);
  await setPinned(database, 'c2', false, stampAt(1001));
  expect(await listed(database)).toEqual(['c1', 'c5', 'c3', 'c2']);
});

test('a title is replaced only by its like or better', async () => {
  const database = await withConversations(1);
  const title = async () => {
    const conversation = await readConversation(database, 'c1');
    return [conversation?.title, conversation?.titleBy];
  };
  expect(await title()).toEqual(['', null]);
  await setTitle(database, 'c1', 'first words', 'local', stampAt(1));
  await setTitle(database, 'c1', 'A summary', 'model', stampAt(2));
  await setTitle(database, 'c1', 'other words', 'local', stampAt(3));
  expect(await title()).toEqual(['A summary', 'model']);
  await setTitle(database, 'c1', 'Mine', 'user', stampAt(4));
  await setTitle(database, 'c1', 'Another summary', 'model', stampAt(5));
  expect(await title()).toEqual(['Mine', 'user']);
  await setTitle(database, 'c1', 'Mine again', 'user', stampAt(6));
  expect(await title()).toEqual(['Mine again', 'user']);
});

test('the clock of a side field never stands still, even when wall time goes back', async () => {
  const database = await withConversations(1);
  const model = { accountId: 'a', modelId: 'm' };
  await setConversationModel(database, 'c1', model, stampAt(500));
  await setConversationModel(database, 'c1', { ...model, modelId: 'n' }, stampAt(100));
  expect((await database.sides.get(['c1', 'model']))?.clock).toEqual({ time: 501, device: 'device-a' });
  expect((await readConversation(database, 'c1'))?.model).toEqual({ accountId: 'a', modelId: 'n' });
});

test('creating twice keeps the first; writing to a missing one is refused', async () => {
  const database = await withConversations(1);
  await createConversation(database, { id: 'c1', assistantId: 'other' }, stampAt(900));
  expect(await readConversation(database, 'c1')).toMatchObject({ assistantId: 'munin', createdAt: 100 });
  expect(await readConversation(database, 'none')).toBeUndefined();
  for (const work of [
    setTitle(database, 'none', 'x', 'user', stampAt(1)),
    setPinned(database, 'none', true, stampAt(1)),
    setConversationModel(database, 'none', { accountId: 'a', modelId: 'm' }, stampAt(1)),
    touchConversation(database, 'none', 1),
    markDeleted(database, 'none', stampAt(1)),
    restoreConversation(database, 'none', stampAt(1)),
  ]) {
    expect(await codeOf(work)).toBe('conversation-missing');
  }
});

test('a deletion can be taken back until it is purged; purging removes every row and leaves a tombstone', async () => {
  const database = await withConversations(2);
  await appendNodes(database, 'c1', [userNode(0, null), pictureNode(1, 0, 'b'.repeat(64)), userNode(2, 0)], stampAt(10));
  await appendNodes(database, 'c2', [userNode(10, null)], stampAt(10));
  await deleteNode(database, 'c1', nodeId(2), stampAt(11));
  await setTitle(database, 'c1', 'Title', 'user', stampAt(12));
  await saveDraft(database, 'c1', { text: 'half a thought', attachments: [] }, 13);
  await markDeleted(database, 'c1', stampAt(5000));
  expect(await readConversation(database, 'c1')).toBeUndefined();
  expect(await readBranch(database, 'c1', { limit: 5 })).toBeUndefined();
  await restoreConversation(database, 'c1', stampAt(5001));
  expect((await readBranch(database, 'c1', { limit: 5 }))?.nodes.length).toBe(2);
  await markDeleted(database, 'c1', stampAt(6000));
  expect(await purgeDeleted(database, 6000, stampAt(7000))).toBe(0);
  expect(await purgeDeleted(database, 6001, stampAt(7000))).toBe(1);
  expect(await database.tombstones.toArray()).toMatchObject([{ id: 'c1', kind: 'conversation', deletedAt: 6000 }]);
  const left = await Promise.all(
    [database.content, database.structure, database.sides, database.drafts, database.blobReferences].map((table) => table.count()),
  );
  expect(left).toEqual([1, 1, 0, 0, 0]);
  expect(await listed(database)).toEqual(['c2']);
  expect(await codeOf(restoreConversation(database, 'c1', stampAt(8000)))).toBe('conversation-missing');
});

test('the list is a live query: titles and messages reach it', async () => {
  const database = await withConversations(2);
  const seen: string[][] = [];
  let wake = (): void => undefined;
  const subscription = liveQuery(() => listConversations(database, { limit: 10 })).subscribe(({ conversations }) => {
    seen.push(conversations.map((conversation) => `${conversation.id}:${conversation.title}`));
    wake();
  });
  const arrives = (expected: string[]) =>
    new Promise<void>((resolve) => {
      wake = () => {
        if (seen.at(-1)?.join() === expected.join()) resolve();
      };
      wake();
    });
  await arrives(['c2:', 'c1:']);
  await setTitle(database, 'c1', 'Named', 'user', stampAt(1));
  await arrives(['c2:', 'c1:Named']);
  await appendNodes(database, 'c1', [{ ...userNode(0, null), createdAt: 99_999 }], stampAt(99_999));
  await arrives(['c1:Named', 'c2:']);
  await markDeleted(database, 'c2', stampAt(100_000));
  await arrives(['c1:Named']);
  subscription.unsubscribe();
});

test('a page of the list reads side rows of that page only', async () => {
  const database = await freshDatabase();
  const rows = Array.from({ length: 1500 }, (_value, place) => ({
    id: `c${place}`,
    createdAt: place,
    updatedAt: place,
    pinned: 0 as const,
    deletedAt: 0,
    clock: { time: 1, device: 'd' },
    body: { assistantId: 'munin' },
  }));
  await database.conversations.bulkAdd(rows);
  const page = await listConversations(database, { limit: 40 });
  expect(page.conversations.length).toBe(40);
  expect(page.conversations[0]?.id).toBe('c1499');
  expect(page.hasMore).toBe(true);
});
