import Dexie from 'dexie';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Account } from '../../src/core/account';
import { AppError } from '../../src/core/errors';
import { deleteAccount, saveAccount } from '../../src/storage/accounts';
import { exportBackup, importBackup } from '../../src/storage/backup';
import { collectBlobs, saveBlob } from '../../src/storage/blobs';
import { changeConversations } from '../../src/storage/change';
import {
  addToolPolicies,
  createConversation,
  markDeleted,
  purgeDeleted,
  restoreConversation,
  setConversationControls,
  setConversationModel,
  setPinned,
  setTitle,
  touchConversation,
} from '../../src/storage/conversations';
import { DEFAULT_CONTROLS } from '../../src/core/tool';
import { JackdawDatabase } from '../../src/storage/db';
import { deleteDraft, saveDraft } from '../../src/storage/drafts';
import { appendLedger } from '../../src/storage/ledger';
import { deviceId, readMeta, writeMeta } from '../../src/storage/meta';
import { saveLocalModel } from '../../src/storage/local-models';
import { saveModelList } from '../../src/storage/model-lists';
import { openDatabase, stored } from '../../src/storage/open';
import { consumeOutbox } from '../../src/storage/outbox';
import { advanceRun, discardRun, foldRun, saveRun, updateRun } from '../../src/storage/runs';
import { writeSetting } from '../../src/storage/settings';
import { toStorageError } from '../../src/storage/storage-errors';
import { appendNodes, deleteNode, readTree, selectNode, updateEntry } from '../../src/storage/tree';
import { codeOf, freshDatabase, nodeId, stampAt, textStep, userNode } from './support';
import { cpuModel } from '../support/local-host';

const signal = new AbortController().signal;
const model = { accountId: 'a', modelId: 'm' };
const account: Account = {
  id: 'a',
  provider: 'openai-chat',
  preset: 'custom',
  name: 'A',
  baseUrl: 'https://example.test',
  hasKey: false,
  streaming: true,
  reasoning: 'auto',
  sampling: {},
  headers: [],
  body: {},
  overrides: {},
};
const bytes = (): ArrayBuffer => new TextEncoder().encode('abc').buffer;
const run = { conversationId: 'c1', runId: 'r', nodeId: nodeId(1), savedAt: 1, body: { step: 0, parts: [], model, startedAt: 1 } };
const ledgerRow = {
  at: 1,
  purpose: 'model',
  origin: 'https://example.test',
  method: 'POST',
  outcome: 'answered',
  status: 200,
  sentBytes: 0,
  receivedBytes: 0,
  durationMs: 0,
} as const;

const localModel = {
  model: cpuModel('m'),
  precision: null,
  receivedBytes: 1,
  totalBytes: 2,
  isComplete: false,
  error: null,
  tokensPerSecond: null,
  isLoading: false,
} as const;

/** Every exported write. `c1` has two nodes, `c2` is deleted, a blob nobody names and a change in the outbox wait. */
const WRITES: Readonly<Record<string, (database: JackdawDatabase) => Promise<unknown>>> = {
  addToolPolicies: (database) => addToolPolicies(database, 'c1', { 'tool:x': 'ask' }, stampAt(50)),
  advanceRun: (database) => advanceRun(database, run, [textStep('x')], stampAt(50)),
  appendLedger: (database) => appendLedger(database, ledgerRow),
  appendNodes: (database) => appendNodes(database, 'c1', [userNode(5, 1)], stampAt(50)),
  changeConversations: (database) =>
    changeConversations(database, () => database.drafts.put({ key: 'k', updatedAt: 1, body: { text: 'x', attachments: [] } })),
  collectBlobs: (database) => collectBlobs(database, 1000),
  consumeOutbox: (database) => consumeOutbox(database, [], signal),
  createConversation: (database) => createConversation(database, { id: 'c3', assistantId: 'munin' }, stampAt(50)),
  deleteAccount: (database) => deleteAccount(database, 'a', stampAt(50)),
  deleteDraft: (database) => deleteDraft(database, 'new'),
  deleteNode: (database) => deleteNode(database, 'c1', nodeId(1), stampAt(50)),
  deviceId: (database) => deviceId(database, () => 'device'),
  discardRun: (database) => discardRun(database, 'c1'),
  foldRun: (database) =>
    foldRun(database, { conversationId: 'c1', nodeId: nodeId(1), status: 'complete', step: textStep('x') }, stampAt(50)),
  importBackup: (database) => importBackup(database, backup, stampAt(50), signal),
  markDeleted: (database) => markDeleted(database, 'c1', stampAt(50)),
  purgeDeleted: (database) => purgeDeleted(database, 1000, stampAt(1000)),
  restoreConversation: (database) => restoreConversation(database, 'c2', stampAt(50)),
  saveAccount: (database) => saveAccount(database, account, 'key', stampAt(50)),
  saveBlob: (database) => saveBlob(database, new TextEncoder().encode('other').buffer, 'image/png', 50),
  saveDraft: (database) => saveDraft(database, 'new', { text: 'words', attachments: [] }, 50),
  saveLocalModel: (database) => saveLocalModel(database, 'm', localModel),
  saveModelList: (database) => saveModelList(database, 'a', [], 50),
  saveRun: (database) => saveRun(database, run),
  selectNode: (database) => selectNode(database, 'c1', nodeId(0), stampAt(50)),
  setConversationControls: (database) => setConversationControls(database, 'c1', DEFAULT_CONTROLS, stampAt(50)),
  setConversationModel: (database) => setConversationModel(database, 'c1', model, stampAt(50)),
  setPinned: (database) => setPinned(database, 'c1', true, stampAt(50)),
  setTitle: (database) => setTitle(database, 'c1', 'Title', 'user', stampAt(50)),
  touchConversation: (database) => touchConversation(database, 'c1', 50),
  updateEntry: (database) => updateEntry(database, 'c1', nodeId(1), { status: 'failed' }, stampAt(50)),
  updateRun: (database) => updateRun(database, run),
  writeMeta: (database) => writeMeta(database, 'persist-asked', true),
  writeSetting: (database) => writeSetting(database, 'theme', 'dark', stampAt(50)),
};

async function otherBackup(): Promise<Blob> {
  const database = await freshDatabase();
  await createConversation(database, { id: 'c9', assistantId: 'munin' }, stampAt(1));
  return exportBackup(database, { includeKeys: false, at: 1 }, signal);
}

async function fill(database: JackdawDatabase): Promise<void> {
  await createConversation(database, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  await appendNodes(database, 'c1', [userNode(0, null), userNode(1, 0), userNode(2, null)], stampAt(2));
  await createConversation(database, { id: 'c2', assistantId: 'munin' }, stampAt(3));
  await markDeleted(database, 'c2', stampAt(4));
  await saveBlob(database, bytes(), 'image/png', 5);
  await saveDraft(database, 'new', { text: 'x', attachments: [] }, 5);
  await saveRun(database, run);
}

let faulty = 0;

/** A database whose writes fail with whatever `fault.error` is. */
async function faultyDatabase(): Promise<{ database: JackdawDatabase; fault: { error: DOMException | null } }> {
  const fault: { error: DOMException | null } = { error: null };
  const database = new JackdawDatabase(`faulty-${(faulty += 1)}`);
  database.use({
    stack: 'dbcore',
    name: 'fault',
    create: (core) => ({
      ...core,
      table: (name) => {
        const table = core.table(name);
        return { ...table, mutate: (request) => (fault.error === null ? table.mutate(request) : Dexie.Promise.reject(fault.error)) };
      },
    }),
  });
  await database.open();
  await fill(database);
  return { database, fault };
}

let backup = new Blob();
beforeAll(async () => {
  backup = await otherBackup();
});
afterEach(() => vi.restoreAllMocks());

test('every exported function of storage that writes is in the table', async () => {
  const modules = import.meta.glob<Record<string, unknown>>('../../src/storage/*.ts', { eager: true });
  const exported = Object.values(modules).flatMap((module) => Object.keys(module).filter((name) => typeof module[name] === 'function'));
  const writing = exported.filter((name) =>
    /^(add|advance|append|change|collect|consume|create|delete|device|discard|fold|import|mark|purge|restore|save|select|set|touch|update|write)[A-Z]/.test(
      name,
    ),
  );
  // These run inside the transaction of one of the others.
  const inner = ['changeEntry', 'writeEntries', 'writeNodeId', 'selectPath', 'selectionOf'];
  expect(Object.keys(WRITES).sort()).toEqual(writing.filter((name) => !inner.includes(name)).sort());
});

for (const [name, write] of Object.entries(WRITES)) {
  test(`${name}: a full disk ends in storage-quota and leaves nothing half done`, async () => {
    const { database, fault } = await faultyDatabase();
    const before = await database.structure.toArray();
    fault.error = new DOMException('full', 'QuotaExceededError');
    expect(await codeOf(write(database))).toBe('storage-quota');
    fault.error = new DOMException('odd', 'UnknownError');
    expect(await codeOf(write(database))).toBe('storage-failed');
    fault.error = null;
    expect(await database.structure.toArray()).toEqual(before);
  });

  test(`${name}: a lost connection is opened again; where that fails it ends in storage-closed`, async () => {
    const database = await freshDatabase();
    await fill(database);
    database.close();
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('gone', 'InvalidStateError');
    });
    expect(await codeOf(write(database))).toBe('storage-closed');
    vi.restoreAllMocks();
    expect(await codeOf(write(database))).toBe('no failure');
  });

  test(`${name}: a newer version in another tab ends in storage-outdated`, async () => {
    const outdated = vi.fn();
    const database = await openDatabase({ name: `outdated-${name}`, onBlocked: () => undefined, onOutdated: outdated });
    await fill(database);
    await openNewer(database.name);
    expect(outdated).toHaveBeenCalledOnce();
    expect(await codeOf(write(database))).toBe('storage-outdated');
  });
}

/** Opens a database as a later version of the app would, and closes it. */
function openNewer(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 9990);
    request.onerror = () => reject(new Error('could not open the newer version'));
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  });
}

test('deleted by another tab, a database is told of and not made anew by the next write', async () => {
  const [outdated, gone] = [vi.fn(), vi.fn()];
  const database = await openDatabase({ name: 'deleted', onBlocked: () => undefined, onOutdated: outdated, onGone: gone });
  await fill(database);
  await new Promise((resolve) => {
    indexedDB.deleteDatabase('deleted').onsuccess = resolve;
  });
  expect(gone).toHaveBeenCalledOnce();
  expect(outdated).not.toHaveBeenCalled();
  expect(await codeOf(setTitle(database, 'c1', 'Title', 'user', stampAt(5)))).toBe('storage-gone');
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('deleted');
});

test('a database on disk that is newer than the code is left alone', async () => {
  const first = await freshDatabase('newer-on-disk');
  first.close();
  await openNewer('newer-on-disk');
  const options = { name: 'newer-on-disk', onBlocked: () => undefined, onOutdated: () => undefined };
  expect(await codeOf(openDatabase(options))).toBe('storage-outdated');
  vi.spyOn(indexedDB, 'databases').mockResolvedValue([]);
  expect(await codeOf(openDatabase(options))).toBe('storage-outdated');
  vi.restoreAllMocks();
  expect((await indexedDB.databases()).find((database) => database.name === 'newer-on-disk')?.version).toBe(9990);
});

test('an upgrade that another tab holds back is said at once and given up after ten seconds', async () => {
  const older = await openOlder('held-back');
  const blocked = vi.fn();
  let expire = (): void => undefined;
  let delay = 0;
  const opening = openDatabase({
    name: 'held-back',
    onBlocked: blocked,
    onOutdated: () => undefined,
    schedule: (callback, delayMs) => {
      expire = callback;
      delay = delayMs;
      return () => undefined;
    },
  });
  await vi.waitFor(() => expect(blocked).toHaveBeenCalledOnce());
  expire();
  await expect(opening).rejects.toMatchObject({ code: 'storage-blocked', retryable: true });
  expect(delay).toBe(10_000);
  older.close();
  const database = await freshDatabase('held-back');
  expect(await readMeta(database, 'device')).toBeUndefined();
});

test('an upgrade goes on when the other tab closes in time', async () => {
  const older = await openOlder('let-go');
  const cancelled = vi.fn();
  const database = await openDatabase({
    name: 'let-go',
    onBlocked: () => older.close(),
    onOutdated: () => undefined,
    schedule: () => cancelled,
  });
  expect(cancelled).toHaveBeenCalled();
  await writeMeta(database, 'device', 'd');
  expect(await readMeta(database, 'device')).toBe('d');
});

/** A connection to version 1 that does not answer when it is asked to close. */
function openOlder(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 10);
    request.onupgradeneeded = () => request.result.createObjectStore('blobs', { keyPath: 'hash' });
    request.onerror = () => reject(new Error('could not open the older version'));
    request.onsuccess = () => resolve(request.result);
  });
}

test('a burst of writes on a lost connection opens it once', async () => {
  const database = await freshDatabase();
  await fill(database);
  database.close();
  const open = vi.spyOn(indexedDB, 'open');
  await Promise.all(Array.from({ length: 20 }, (_value, place) => setTitle(database, 'c1', `Title ${place}`, 'user', stampAt(place))));
  expect(open).toHaveBeenCalledOnce();
});

test('writes join a surrounding transaction and fall with it', async () => {
  const { database, fault } = await faultyDatabase();
  const both = () =>
    changeConversations(database, async () => {
      await createConversation(database, { id: 'c5', assistantId: 'munin' }, stampAt(60));
      await appendNodes(database, 'c5', [userNode(50, null)], stampAt(60));
      await saveRun(database, { ...run, conversationId: 'c5' });
      await appendNodes(database, 'none', [userNode(51, null)], stampAt(60));
    });
  expect(await codeOf(both())).toBe('conversation-missing');
  expect(await database.conversations.get('c5')).toBeUndefined();
  expect(await database.runs.get('c5')).toBeUndefined();
  fault.error = new DOMException('full', 'QuotaExceededError');
  expect(await codeOf(both())).toBe('storage-quota');
  fault.error = null;
  expect((await readTree(database, 'c5')).entries).toEqual([]);
});

test('failures are named however deep they are wrapped; aborts and AppErrors pass', async () => {
  const quota = new DOMException('full', 'QuotaExceededError');
  expect(toStorageError(new Dexie.AbortError('aborted', quota))).toMatchObject({ code: 'storage-quota' });
  const bulk = Object.assign(new Error('bulk'), { name: 'BulkError', failures: [quota] });
  expect(toStorageError(new Dexie.AbortError('aborted', bulk))).toMatchObject({ code: 'storage-quota' });
  expect(toStorageError(new Dexie.AbortError('aborted'))).toMatchObject({ code: 'storage-failed' });
  const lost = new DOMException('Connection to Indexed Database server lost. Refresh the page to try again', 'UnknownError');
  expect(toStorageError(lost)).toMatchObject({ code: 'storage-closed', retryable: true });
  expect(toStorageError(new DOMException('x', 'VersionError'))).toMatchObject({ code: 'storage-outdated' });
  const abort = new DOMException('stopped', 'AbortError');
  expect(toStorageError(abort)).toBe(abort);
  const own = new AppError('node-missing');
  expect(toStorageError(own)).toBe(own);
  const database = await freshDatabase();
  await expect(stored(database, () => Promise.reject(abort))).rejects.toBe(abort);
});

test('a connection that the browser lost mid-way is repeated once', async () => {
  const database = await freshDatabase();
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries === 1) throw new DOMException('Connection to Indexed Database server lost. Refresh the page to try again', 'UnknownError');
    await database.meta.put({ key: 'device', value: 'd' });
    return 'saved';
  };
  expect(await stored(database, work)).toBe('saved');
  expect(await readMeta(database, 'device')).toBe('d');
});
