import { expect, test } from 'vitest';
import type { Account } from '../../src/core/account';
import { deleteAccount, listAccounts, readAccount, readKey, saveAccount } from '../../src/storage/accounts';
import { exportBackup } from '../../src/storage/backup';
import { readModelList, saveModelList } from '../../src/storage/model-lists';
import { codeOf, freshDatabase, stampAt } from './support';

const KEY = 'sk-very-secret-0123456789';

function account(id: string): Account {
  return {
    id,
    provider: 'openai-chat',
    preset: 'custom',
    name: `Account ${id}`,
    baseUrl: 'https://example.test/v1',
    hasKey: false,
    streaming: true,
    reasoning: 'auto',
    sampling: { temperature: 0.5 },
    headers: [{ name: 'X-Title', value: 'Jackdaw' }],
    body: { extra: { nested: [1, null, 'a'] } },
    overrides: { 'm-1': { vision: true, contextTokens: null } },
  };
}

const bytesToText = (bytes: ArrayBuffer) => String.fromCharCode(...new Uint8Array(bytes));

test('accounts keep their order and say whether they hold a key', async () => {
  const database = await freshDatabase();
  await saveAccount(database, account('b'), KEY, stampAt(1));
  await saveAccount(database, account('a'), undefined, stampAt(2));
  await saveAccount(database, { ...account('b'), name: 'Renamed' }, undefined, stampAt(3));
  expect(await listAccounts(database)).toEqual([{ ...account('b'), name: 'Renamed', hasKey: true }, account('a')]);
  expect(await readAccount(database, 'none')).toBeUndefined();
});

test('a key is kept by undefined, replaced by a text and removed by null', async () => {
  const database = await freshDatabase();
  expect(await readKey(database, 'a')).toBeNull();
  await saveAccount(database, account('a'), KEY, stampAt(1));
  await saveAccount(database, account('a'), undefined, stampAt(2));
  expect(await readKey(database, 'a')).toBe(KEY);
  await saveAccount(database, account('a'), 'Schlüssel-日本', stampAt(3));
  expect(await readKey(database, 'a')).toBe('Schlüssel-日本');
  await saveAccount(database, account('a'), null, stampAt(4));
  expect(await readKey(database, 'a')).toBeNull();
  expect((await readAccount(database, 'a'))?.hasKey).toBe(false);
});

test('what is stored is not the key, the wrapping key is not extractable, and every wrapping has its own iv', async () => {
  const database = await freshDatabase();
  await saveAccount(database, account('a'), KEY, stampAt(1));
  const first = await database.accounts.get('a');
  await saveAccount(database, account('a'), KEY, stampAt(2));
  const second = await database.accounts.get('a');
  expect(bytesToText(first?.wrappedKey?.bytes ?? new ArrayBuffer(0))).not.toContain('secret');
  expect(JSON.stringify(first)).not.toContain('secret');
  expect(first?.wrappedKey?.iv).not.toEqual(second?.wrappedKey?.iv);
  const wrapping = (await database.keys.get('accounts'))?.key;
  expect(wrapping?.extractable).toBe(false);
  if (wrapping === undefined) throw new Error('no wrapping key');
  await expect(crypto.subtle.exportKey('raw', wrapping)).rejects.toThrow();
});

test('a wrapped key opens for its own account only, and not without the wrapping key', async () => {
  const database = await freshDatabase();
  await saveAccount(database, account('a'), KEY, stampAt(1));
  const row = await database.accounts.get('a');
  if (row === undefined) throw new Error('no row');
  await database.accounts.put({ ...row, id: 'thief', position: 1 });
  expect(await codeOf(readKey(database, 'thief'))).toBe('key-unreadable');
  await database.keys.clear();
  expect(await codeOf(readKey(database, 'a'))).toBe('key-unreadable');
  await saveAccount(database, account('a'), KEY, stampAt(2));
  expect(await readKey(database, 'a')).toBe(KEY);
});

test('two tabs that make the wrapping key at once end with one', async () => {
  const name = 'two-tabs-one-key';
  const [first, second] = await Promise.all([freshDatabase(name), freshDatabase(name)]);
  await Promise.all([saveAccount(first, account('a'), 'key a', stampAt(1)), saveAccount(second, account('b'), 'key b', stampAt(1))]);
  expect(await Promise.all([readKey(second, 'a'), readKey(first, 'b')])).toEqual(['key a', 'key b']);
});

test('keys are in an export only when asked for', async () => {
  const database = await freshDatabase();
  await saveAccount(database, account('a'), KEY, stampAt(1));
  const signal = new AbortController().signal;
  expect(await (await exportBackup(database, { includeKeys: false, at: 1 }, signal)).text()).not.toContain('secret');
  const withKeys = await (await exportBackup(database, { includeKeys: true, at: 1 }, signal)).text();
  expect(withKeys).toContain(`"keyInPlainText":"${KEY}"`);
  await database.keys.clear();
  expect(await codeOf(exportBackup(database, { includeKeys: true, at: 1 }, signal))).toBe('key-unreadable');
});

test('a deleted account takes its key and its list of models with it', async () => {
  const database = await freshDatabase();
  await saveAccount(database, account('a'), KEY, stampAt(1));
  const models = [{ id: 'm', name: 'M', capabilities: { vision: false, tools: true, reasoning: false, contextTokens: 8192 } }];
  await saveModelList(database, 'a', models, 5);
  expect(await readModelList(database, 'a')).toEqual(models);
  await deleteAccount(database, 'a', stampAt(2));
  expect(await listAccounts(database)).toEqual([]);
  expect(await readKey(database, 'a')).toBeNull();
  expect(await readModelList(database, 'a')).toBeUndefined();
});
