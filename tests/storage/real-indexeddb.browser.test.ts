import { liveQuery } from 'dexie';
import { afterEach, expect, test, vi } from 'vitest';
import { readKey, saveAccount } from '../../src/storage/accounts';
import { exportBackup, importBackup } from '../../src/storage/backup';
import { readBlob, saveBlob } from '../../src/storage/blobs';
import { changeConversations } from '../../src/storage/change';
import { readBranch } from '../../src/storage/content';
import { createConversation, listConversations, setPinned, setTitle } from '../../src/storage/conversations';
import type { JackdawDatabase } from '../../src/storage/db';
import { openDatabase } from '../../src/storage/open';
import { appendNodes, deleteNode, selectNode } from '../../src/storage/tree';
import { codeOf, freshDatabase, idsOf, nodeId, pictureNode, stampAt, userNode } from './support';

// What the imitation in Node could get wrong: transactions that end by themselves, key ranges, keys that can't be cloned, upgrades.
const opened: JackdawDatabase[] = [];

async function database(name: string): Promise<JackdawDatabase> {
  const made = await freshDatabase(`real-${name}`);
  opened.push(made);
  return made;
}

afterEach(async () => {
  for (const made of opened.splice(0)) await made.delete();
});

test('several writes are one transaction, over native awaits', async () => {
  const real = await database('transaction');
  await changeConversations(real, async () => {
    await createConversation(real, { id: 'c1', assistantId: 'munin' }, stampAt(1));
    await setTitle(real, 'c1', 'Title', 'local', stampAt(2));
    await appendNodes(real, 'c1', [userNode(0, null), userNode(1, 0)], stampAt(3));
  });
  const failing = changeConversations(real, async () => {
    await setTitle(real, 'c1', 'Never', 'user', stampAt(4));
    await deleteNode(real, 'c1', nodeId(9), stampAt(5));
  });
  expect(await codeOf(failing)).toBe('node-missing');
  await setPinned(real, 'c1', true, stampAt(6));
  const { conversations } = await listConversations(real, { limit: 5 });
  expect(conversations).toMatchObject([{ id: 'c1', title: 'Title', pinned: true }]);
});

test('a branch of ten thousand messages is read from its end', async () => {
  const real = await database('branch');
  await createConversation(real, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  const nodes = Array.from({ length: 10_000 }, (_value, place) => userNode(place, place === 0 ? null : place - 1));
  await appendNodes(real, 'c1', [...nodes, userNode(10_000, 9_998)], stampAt(2));
  await selectNode(real, 'c1', nodeId(9_999), stampAt(3));
  const branch = await readBranch(real, 'c1', { limit: 60 });
  expect(branch?.path.length).toBe(10_000);
  expect(idsOf(branch?.nodes ?? []).at(-1)).toBe(nodeId(9_999));
  expect(branch?.nodes.at(-1)?.siblings).toEqual([nodeId(9_999), nodeId(10_000)]);
});

test('a key is wrapped by one that the browser stores and never shows', async () => {
  const real = await database('key');
  const account = { id: 'a', provider: 'p', preset: 'x', name: 'A', baseUrl: 'https://a.test', hasKey: false, streaming: true } as const;
  await saveAccount(real, { ...account, reasoning: 'auto', sampling: {}, headers: [], body: {}, overrides: {} }, 'secret', stampAt(1));
  real.close();
  const again = await freshDatabase('real-key');
  opened.push(again);
  expect(await readKey(again, 'a')).toBe('secret');
  expect((await again.keys.get('accounts'))?.key.extractable).toBe(false);
});

test('a backup goes out and comes in', async () => {
  const real = await database('out');
  await createConversation(real, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  const blob = await saveBlob(real, Uint8Array.from({ length: 300_000 }, (_value, place) => place % 256).buffer, 'image/png', 1);
  await appendNodes(real, 'c1', [userNode(0, null), pictureNode(1, 0, blob)], stampAt(2));
  const signal = new AbortController().signal;
  const file = await exportBackup(real, { includeKeys: false, at: 3 }, signal);
  const other = await database('in');
  expect(await importBackup(other, file, stampAt(4), signal)).toMatchObject({ conversations: 1, nodes: 2, files: 1, skipped: [] });
  expect((await readBlob(other, blob))?.sizeBytes).toBe(300_000);
});

test('a live query of a branch sees a message of another connection', async () => {
  const real = await database('live');
  await createConversation(real, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  const other = await freshDatabase('real-live');
  const seen = new Promise<void>((resolve, reject) => {
    const subscription = liveQuery(() => readBranch(real, 'c1', { limit: 5 })).subscribe({
      next: (branch) => {
        if (branch?.nodes.length !== 1) return;
        subscription.unsubscribe();
        resolve();
      },
      error: reject,
    });
  });
  await appendNodes(other, 'c1', [userNode(0, null)], stampAt(2));
  await seen;
  other.close();
});

test('a newer version elsewhere closes this one and asks for a reload', async () => {
  let isOutdated = false;
  const real = await openDatabase({ name: 'real-outdated', onBlocked: () => undefined, onOutdated: () => (isOutdated = true) });
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open('real-outdated', 9990);
    request.onerror = () => reject(new Error('could not open the newer version'));
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  });
  expect(isOutdated).toBe(true);
  expect(await codeOf(createConversation(real, { id: 'c1', assistantId: 'munin' }, stampAt(1)))).toBe('storage-outdated');
  expect(await codeOf(freshDatabase('real-outdated'))).toBe('storage-outdated');
  await new Promise((resolve) => {
    indexedDB.deleteDatabase('real-outdated').onsuccess = resolve;
  });
});

/** The database is gone and its connection cut, as the browser does it when it clears a site: without a question, with a `close` event. */
async function clearSite(real: JackdawDatabase): Promise<void> {
  const connection = real.backendDB();
  connection.close();
  await new Promise((resolve) => {
    indexedDB.deleteDatabase(real.name).onsuccess = resolve;
  });
  connection.dispatchEvent(new Event('close'));
}

const namesOf = async (): Promise<unknown[]> => (await indexedDB.databases()).map(({ name }) => name);

test('a database that the browser cleared is told at once and not made anew', async () => {
  let goneTimes = 0;
  const options = { name: 'real-cleared', onBlocked: () => undefined, onOutdated: () => undefined, onGone: () => (goneTimes += 1) };
  const real = await openDatabase(options);
  opened.push(real);
  await createConversation(real, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  await clearSite(real);
  await expect.poll(() => goneTimes).toBe(1);
  expect(await codeOf(createConversation(real, { id: 'c2', assistantId: 'munin' }, stampAt(2)))).toBe('storage-gone');
  expect(await codeOf(listConversations(real, { limit: 5 }))).toBe('storage-gone');
  expect(goneTimes).toBe(1);
  expect(await namesOf()).not.toContain('real-cleared');
});

test('a live query stays live when its connection has to be opened again', async () => {
  const real = await database('reopened');
  await createConversation(real, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  const seen: number[] = [];
  const subscription = liveQuery(() => listConversations(real, { limit: 9 })).subscribe(({ conversations }) => {
    seen.push(conversations.length);
  });
  await expect.poll(() => seen.at(-1)).toBe(1);
  // Lost between two readings, as on a phone that was locked, or in a page that was kept for going back.
  real.close();
  await setTitle(await database('reopened'), 'c1', 'Read again', 'user', stampAt(2));
  await expect.poll(() => seen.length).toBe(2);
  await createConversation(real, { id: 'c2', assistantId: 'munin' }, stampAt(3));
  await expect.poll(() => seen.at(-1)).toBe(2);
  await createConversation(real, { id: 'c3', assistantId: 'munin' }, stampAt(4));
  await expect.poll(() => seen.at(-1)).toBe(3);
  subscription.unsubscribe();
});

test('a browser that does not answer when asked for its databases holds nothing up', async () => {
  const real = await database('unlisted');
  real.close();
  vi.spyOn(indexedDB, 'databases').mockReturnValue(new Promise(() => undefined));
  await createConversation(real, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  vi.restoreAllMocks();
  expect((await listConversations(real, { limit: 5 })).conversations).toHaveLength(1);
});
