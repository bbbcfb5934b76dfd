import { expect, test } from 'vitest';
import { readAccount, readKey, saveAccount } from '../../src/storage/accounts';
import { exportBackup, importBackup } from '../../src/storage/backup';
import { readBlob, saveBlob } from '../../src/storage/blobs';
import { readBranch } from '../../src/storage/content';
import { createConversation, listConversations, markDeleted, purgeDeleted, setPinned, setTitle } from '../../src/storage/conversations';
import type { JackdawDatabase } from '../../src/storage/db';
import { saveDraft } from '../../src/storage/drafts';
import { writeSetting } from '../../src/storage/settings';
import { appendNodes, deleteNode, readTree, selectNode, updateEntry } from '../../src/storage/tree';
import { codeOf, freshDatabase, idsOf, nodeId, pictureNode, seededNumbers, stampAt, textStep, userNode } from './support';

const signal = new AbortController().signal;
const KEY = 'sk-in-the-clear';
const ACCOUNT = {
  id: 'a',
  provider: 'openai-chat',
  preset: 'custom',
  name: 'Account',
  baseUrl: 'https://example.test/v1',
  hasKey: false,
  streaming: true,
  reasoning: 'high',
  sampling: { temperature: 0.5, maxTokens: 100 },
  headers: [{ name: 'X-A', value: 'b' }],
  body: { deep: { list: [1, null, { x: 'y' }] } },
  overrides: { m: { vision: true, contextTokens: null } },
} as const;

/** A database with everything in it that a backup holds. */
async function fullDatabase(seed: number): Promise<JackdawDatabase> {
  const number = seededNumbers(seed);
  const database = await freshDatabase();
  await writeSetting(database, 'theme', 'dark', stampAt(1));
  await saveAccount(database, ACCOUNT, KEY, stampAt(2));
  await saveAccount(database, { ...ACCOUNT, id: 'b', name: 'No key' }, null, stampAt(3));
  const bytes = Uint8Array.from({ length: 70_000 }, () => number(256)).buffer;
  const blob = await saveBlob(database, bytes, 'image/png', 4);
  await saveBlob(database, new ArrayBuffer(0), 'text/plain', 5);
  for (const conversation of ['c1', 'c2', 'c3']) {
    await createConversation(database, { id: conversation, assistantId: 'munin' }, stampAt(10));
    const first = conversation === 'c1' ? 0 : conversation === 'c2' ? 10_000 : 20_000;
    const nodes = Array.from({ length: 300 }, (_value, place) => {
      const parent = place === 0 ? null : first + (number(10) === 0 ? number(place) : place - 1);
      return userNode(first + place, parent, `words ${place} “quoted” \u2028 日本`);
    });
    await appendNodes(database, conversation, [...nodes, pictureNode(first + 300, first + 299, blob)], stampAt(20));
    for (let round = 0; round < 20; round += 1) await deleteNode(database, conversation, nodeId(first + number(290)), stampAt(30 + round));
    await updateEntry(database, conversation, nodeId(first + 299), { status: 'failed', tokens: 7 }, stampAt(60));
    await selectNode(database, conversation, nodeId(first + 300), stampAt(61));
  }
  const steps = [
    textStep('zero', 0),
    { ...textStep('one', 1), error: { code: 'auth', retryable: false, details: { host: 'x' } } as const, finishReason: 'error' as const },
  ];
  await appendNodes(database, 'c1', [{ ...userNode(900, 300), steps }], stampAt(62));
  await setTitle(database, 'c1', 'Title', 'user', stampAt(63));
  await setPinned(database, 'c2', true, stampAt(64));
  await markDeleted(database, 'c3', stampAt(65));
  await saveDraft(
    database,
    'new',
    { text: 'draft', attachments: [{ kind: 'image', blob, mimeType: 'image/png', name: 'a', sizeBytes: 70_000 }] },
    66,
  );
  await createConversation(database, { id: 'gone', assistantId: 'munin' }, stampAt(67));
  await markDeleted(database, 'gone', stampAt(68));
  await database.conversations.update('gone', { deletedAt: 1 });
  expect(await purgeDeleted(database, 2, stampAt(69))).toBe(1);
  return database;
}

/** Everything a backup holds, in an order of its own. Wrapped keys differ each time and are compared in plain text. */
async function normalForm(database: JackdawDatabase): Promise<unknown> {
  const tables = ['conversations', 'structure', 'content', 'sides', 'tombstones', 'blobs', 'blobReferences', 'drafts', 'settings'];
  const rows = await Promise.all(tables.map((name) => database.table(name).toArray()));
  const accounts = await database.accounts.toArray();
  const keys = await Promise.all(accounts.map(({ id }) => readKey(database, id)));
  return { rows, accounts: accounts.map(({ wrappedKey: _wrappedKey, ...row }, index) => ({ ...row, key: keys[index] })) };
}

const exported = (database: JackdawDatabase, includeKeys = false) => exportBackup(database, { includeKeys, at: 100 }, signal);
const rowsOf = async (file: Blob) =>
  (await file.text())
    .trim()
    .split('\n')
    .slice(1)
    .map((line): unknown => JSON.parse(line));
const imported = (database: JackdawDatabase, file: Blob | string, at = 200) =>
  importBackup(database, typeof file === 'string' ? new Blob([file]) : file, stampAt(at, 'device-b'), signal);
const HEADER = '{"format":"jackdaw-backup","version":1}';
const clock = { time: 50, device: 'd' };
const conversationLine = (id: string, extra: object = {}) =>
  JSON.stringify({
    table: 'conversations',
    row: { id, createdAt: 1, updatedAt: 2, pinned: 0, deletedAt: 0, clock, body: { assistantId: 'munin' }, ...extra },
  });
const nodeLine = (number: number, parent: number | null, extra: object = {}) => {
  const row = {
    id: nodeId(number),
    conversationId: 'c1',
    parentId: parent === null ? null : nodeId(parent),
    role: 'user',
    status: 'complete',
    tokens: 1,
    createdAt: 1,
    revision: 0,
  };
  return JSON.stringify({ table: 'nodes', row: { ...row, ...extra } });
};
const contentLine = (number: number, text: string, extra: object = {}) =>
  JSON.stringify({ table: 'content', row: { nodeId: nodeId(number), step: 0, conversationId: 'c1', body: textStep(text), ...extra } });

test('export, wipe, import: everything is as it was, keys when asked for', async () => {
  for (const seed of [1, 2]) {
    const database = await fullDatabase(seed);
    const before = await normalForm(database);
    const file = await exported(database, true);
    const other = await freshDatabase();
    const report = await imported(other, file);
    expect(report).toMatchObject({ conversations: 3, nodes: 904, files: 2, accounts: 2, unchanged: 0, skipped: [] });
    expect(await normalForm(other)).toEqual(before);
    expect(await rowsOf(await exported(other, true))).toEqual(await rowsOf(file));
  }
});

test('importing again changes nothing and says so', async () => {
  const database = await fullDatabase(3);
  const file = await exported(database);
  const before = await normalForm(database);
  const outbox = await database.outbox.count();
  const lines = (await file.text()).trim().split('\n').length - 1;
  for (const at of [200, 300]) {
    expect(await imported(database, file, at)).toEqual({
      conversations: 0,
      nodes: 0,
      files: 0,
      accounts: 0,
      unchanged: lines,
      skipped: [],
    });
  }
  expect(await normalForm(database)).toEqual(before);
  expect(await database.outbox.count()).toBe(outbox);
});

test('the file is readable: a header with counts, then one row a line, nothing of this browser profile', async () => {
  const database = await fullDatabase(4);
  await saveDraft(database, 'new', { text: '', attachments: [] }, 1);
  const [header, ...lines] = (await (await exported(database)).text())
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(header).toMatchObject({
    format: 'jackdaw-backup',
    version: 1,
    schema: 4,
    exportedAt: 100,
    includesKeys: false,
    counts: { conversations: 3, blobs: 2 },
  });
  const tables = new Set(lines.map((line) => (typeof line === 'object' && line !== null && 'table' in line ? line.table : 'none')));
  expect([...tables].sort()).toEqual(['accounts', 'blobs', 'content', 'conversations', 'nodes', 'settings', 'sides', 'tombstones']);
  const node = lines.find((line) => JSON.stringify(line).includes(`"id":"${nodeId(1)}"`));
  expect(node).toMatchObject({ table: 'nodes', row: { parentId: nodeId(0), role: 'assistant', conversationId: 'c1' } });
});

test('importing into a database that went on: unknown nodes come in, what is shown stays, later clocks win', async () => {
  const here = await freshDatabase();
  await createConversation(here, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  await appendNodes(here, 'c1', [userNode(0, null), userNode(1, 0)], stampAt(2));
  const there = await freshDatabase();
  await imported(there, await exported(here));
  await appendNodes(there, 'c1', [userNode(10, 0), userNode(11, 1)], stampAt(50, 'device-c'));
  await setTitle(there, 'c1', 'There, later', 'user', stampAt(90, 'device-c'));
  await deleteNode(there, 'c1', nodeId(0), stampAt(91, 'device-c'));
  await appendNodes(here, 'c1', [userNode(2, 1)], stampAt(60));
  await setTitle(here, 'c1', 'Here, earlier', 'user', stampAt(80));
  const report = await imported(here, await exported(there));
  expect(report.nodes).toBe(2);
  expect(idsOf((await readTree(here, 'c1')).entries)).toEqual([0, 1, 2, 10, 11].map(nodeId));
  const branch = await readBranch(here, 'c1', { limit: 9 });
  expect(idsOf(branch?.nodes ?? [])).toEqual([0, 1, 2].map(nodeId));
  expect((await listConversations(here, { limit: 1 })).conversations[0]?.title).toBe('There, later');
  expect((await imported(here, await exported(there))).nodes).toBe(0);
});

test('a conversation that was deleted or purged here comes back', async () => {
  const database = await freshDatabase();
  await createConversation(database, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  await appendNodes(database, 'c1', [userNode(0, null)], stampAt(2));
  const file = await exported(database);
  await markDeleted(database, 'c1', stampAt(1000));
  await imported(database, file);
  expect((await listConversations(database, { limit: 5 })).conversations.length).toBe(1);
  await markDeleted(database, 'c1', stampAt(1000));
  await purgeDeleted(database, 2000, stampAt(2000));
  expect(await imported(database, file)).toMatchObject({ conversations: 1, nodes: 1 });
  expect((await readBranch(database, 'c1', { limit: 5 }))?.nodes.length).toBe(1);
  expect(await database.tombstones.count()).toBe(0);
});

test('a byte order mark, CRLF, blank lines and a missing last line break are fine', async () => {
  const database = await freshDatabase();
  const text = `\uFEFF${[HEADER, '', conversationLine('c1'), nodeLine(0, null), contentLine(0, 'hi')].join('\r\n')}`;
  expect(await imported(database, text)).toMatchObject({ conversations: 1, nodes: 1, skipped: [] });
  expect((await readBranch(database, 'c1', { limit: 1 }))?.nodes[0]?.steps).toEqual([textStep('hi')]);
});

test('lines longer than a slice, cut inside a character, come in whole', async () => {
  const database = await freshDatabase();
  const long = '日本語'.repeat(500_000);
  await imported(database, [HEADER, conversationLine('c1'), nodeLine(0, null), contentLine(0, `a${long}`), nodeLine(1, 0)].join('\n'));
  expect((await readBranch(database, 'c1', { limit: 2 }))?.nodes[0]?.steps[0]?.parts).toEqual([
    { type: 'text', step: 0, text: `a${long}` },
  ]);
});

test('a cut file brings the lines that are whole and reports the last one; the full file completes it', async () => {
  const database = await fullDatabase(5);
  const text = await (await exported(database)).text();
  const whole = text.split('\n');
  const cutAt = whole.findIndex((line) => line.includes('"content"')) + 50;
  const cut = `${whole.slice(0, cutAt).join('\n')}\n${(whole[cutAt] ?? '').slice(0, 40)}`;
  const other = await freshDatabase();
  const report = await imported(other, cut);
  expect(report.skipped).toEqual([{ line: cutAt + 1, reason: 'damaged' }]);
  expect(report.conversations).toBe(1);
  await imported(other, text);
  expect(await other.content.count()).toBe(await database.content.count());
  expect((await readTree(other, 'c2')).entries).toEqual((await readTree(database, 'c2')).entries);
});

test('other files are refused before anything is written', async () => {
  const database = await freshDatabase();
  for (const text of ['', '\n\n', '{"format":"other","version":1}\n', '%PDF-1.7\n', '[1,2,3]', `${HEADER.slice(0, 10)}`, 'null']) {
    expect(await codeOf(imported(database, text)), text).toBe('import-format');
  }
  const utf16 = new Blob([Uint8Array.from([0xff, 0xfe, 0x7b, 0x00, 0x0a, 0x00])]);
  expect(await codeOf(imported(database, utf16))).toBe('import-format');
  expect(await codeOf(imported(database, '{"format":"jackdaw-backup","version":2}\n'))).toBe('import-newer');
});

test('hostile lines are skipped and reported one by one; good ones between them come in', async () => {
  const database = await freshDatabase();
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const side = (row: object) => JSON.stringify({ table: 'sides', row: { targetId: 'c1', conversationId: 'c1', clock, ...row } });
  const hostile: readonly (readonly [string, 'damaged' | 'unknown'])[] = [
    ['{"table":"conversations","row":{"id":"x","__proto__":{"pinned":1}}}', 'damaged'],
    [conversationLine('p').replace('"munin"', '"munin","\\u005f_proto__":{"polluted":true}'), 'damaged'],
    [conversationLine('p').replace('"munin"', '"munin","constructor":{"prototype":1}'), 'damaged'],
    [`{"table":"content","row":${deep}}`, 'damaged'],
    ['{"table":"nodes"}', 'damaged'],
    ['{"row":{}}', 'damaged'],
    ['"nodes"', 'damaged'],
    ['{"table":"keys","row":{"id":"accounts"}}', 'unknown'],
    ['{"table":"__proto__","row":{}}', 'unknown'],
    ['{"table":"settings","row":{"key":"from-the-future","clock":{"time":1,"device":"d"},"body":{"value":1}}}', 'unknown'],
    ['{"table":"settings","row":{"key":"theme","clock":{"time":1,"device":"d"},"body":{"value":"<script>"}}}', 'damaged'],
    ['{"table":"settings","row":{"key":"toString","clock":{"time":1,"device":"d"},"body":{"value":1}}}', 'unknown'],
    [conversationLine('p', { createdAt: 1e300 }), 'damaged'],
    [conversationLine('p', { clock: { time: 9e15 + 1e15, device: 'd' } }), 'damaged'],
    [conversationLine('p', { pinned: true }), 'damaged'],
    [nodeLine(5, null, { tokens: 2 ** 32 }), 'damaged'],
    [nodeLine(5, null, { tokens: -1 }), 'damaged'],
    [nodeLine(5, null, { id: 'not-an-id' }), 'damaged'],
    [nodeLine(5, null, { id: nodeId(171).toUpperCase() }), 'damaged'],
    [nodeLine(5, null, { role: 'tool' }), 'damaged'],
    [nodeLine(5, null, { conversationId: 'nowhere' }), 'damaged'],
    [contentLine(5, 'no such node'), 'damaged'],
    [contentLine(0, 'x', { step: 1 }), 'damaged'],
    [contentLine(0, 'x', { body: { step: 0, parts: [{ type: 'text', step: 0, text: 7 }] } }), 'damaged'],
    [contentLine(0, 'x', { body: { step: 0, parts: [{ type: 'media', step: 0, kind: 'image', blob: '../../x' }] } }), 'damaged'],
    [side({ field: 'pinned', body: { value: 'yes' } }), 'damaged'],
    [side({ field: 'owner', body: { value: 'me' } }), 'damaged'],
    [side({ field: 'title', targetId: nodeId(0), body: { value: { text: 'x', by: 'user' } } }), 'damaged'],
    [side({ field: 'selection', targetId: nodeId(77), body: { value: nodeId(0) } }), 'damaged'],
    [
      '{"table":"blobs","row":{"hash":"' +
        'a'.repeat(64) +
        '","mimeType":"x","sizeBytes":3,"createdAt":1,"body":{"bytes":{"type":"bytes","base64":"YWJj"}}}}',
      'damaged',
    ],
    [
      '{"table":"blobs","row":{"hash":"' +
        'a'.repeat(64) +
        '","mimeType":"x","sizeBytes":3,"createdAt":1,"body":{"bytes":{"type":"bytes","base64":"%%%%"}}}}',
      'damaged',
    ],
    ['{"table":"drafts","row":{"key":"nowhere","updatedAt":1,"body":{"text":"x","attachments":[]}}}', 'damaged'],
    ['not json at all', 'damaged'],
  ];
  const good = [HEADER, conversationLine('c1'), nodeLine(0, null), contentLine(0, 'good')];
  const text = [...good, ...hostile.flatMap(([line], place) => [line, nodeLine(100 + place, 0)])].join('\n');
  const report = await imported(database, text);
  expect(report.skipped).toEqual(hostile.map(([, reason], place) => ({ line: good.length + 1 + place * 2, reason })));
  expect(report).toMatchObject({ conversations: 1, nodes: 1 + hostile.length });
  expect(await database.conversations.count()).toBe(1);
  expect(Object.hasOwn(Object.prototype, 'polluted') || Object.hasOwn(Object.prototype, 'pinned')).toBe(false);
});

test('strange trees come in without hanging: children first, orphans, circles, the same id twice, running answers', async () => {
  const database = await freshDatabase();
  const lines = [
    nodeLine(3, 2),
    nodeLine(2, 1),
    nodeLine(1, null, { status: 'running' }),
    nodeLine(4, 99),
    nodeLine(5, 6),
    nodeLine(6, 5),
    nodeLine(7, 7),
    nodeLine(1, null, { role: 'system' }),
    conversationLine('c1'),
  ];
  const report = await imported(database, [HEADER, ...lines].join('\n'));
  expect(report).toMatchObject({ conversations: 1, nodes: 7, unchanged: 1, skipped: [] });
  const tree = await readTree(database, 'c1');
  const parentOf = (number: number) => tree.entries[tree.find(nodeId(number))?.parent ?? -1]?.id;
  expect([parentOf(3), parentOf(2)]).toEqual([nodeId(2), nodeId(1)]);
  expect(tree.entries.filter((entry) => entry.parent === -1).length).toBe(4);
  expect(tree.entries.every((entry) => entry.parent < entry.ordinal)).toBe(true);
  expect(tree.entries.map((entry) => entry.status)).not.toContain('running');
});

test('a node cannot take over the content of another conversation', async () => {
  const database = await freshDatabase();
  await createConversation(database, { id: 'mine', assistantId: 'munin' }, stampAt(1));
  await appendNodes(database, 'mine', [userNode(0, null, 'mine')], stampAt(2));
  const report = await imported(database, [HEADER, conversationLine('c1'), nodeLine(0, null), contentLine(0, 'theirs')].join('\n'));
  expect(report.skipped.map((skipped) => skipped.line)).toEqual([3, 4]);
  expect((await readBranch(database, 'mine', { limit: 1 }))?.nodes[0]?.steps).toEqual([textStep('mine')]);
});

test('a stored key stays with its address: a made-up account cannot carry it elsewhere', async () => {
  const database = await freshDatabase();
  await saveAccount(database, ACCOUNT, KEY, stampAt(10));
  const { id, hasKey: _hasKey, ...body } = ACCOUNT;
  const line = (extra: object, time: number) =>
    [
      HEADER,
      JSON.stringify({ table: 'accounts', row: { id, position: 0, clock: { time, device: 'd' }, body: { ...body, ...extra } } }),
    ].join('\n');
  await imported(database, line({ name: 'Older' }, 9));
  expect(await readAccount(database, 'a')).toMatchObject({ name: 'Account', hasKey: true });
  await imported(database, line({ name: 'Newer' }, 20));
  expect(await readAccount(database, 'a')).toMatchObject({ name: 'Newer', hasKey: true });
  expect(await readKey(database, 'a')).toBe(KEY);
  await imported(database, line({ baseUrl: 'https://evil.test' }, 30));
  expect(await readAccount(database, 'a')).toMatchObject({ baseUrl: 'https://evil.test', hasKey: false });
  expect(await readKey(database, 'a')).toBeNull();
});

test('a file full of rubbish ends in import-damaged, an abort in an abort', async () => {
  const database = await freshDatabase();
  expect(await codeOf(imported(database, `${HEADER}\n${'x\n'.repeat(10_001)}`))).toBe('import-damaged');
  const controller = new AbortController();
  controller.abort();
  await expect(importBackup(database, new Blob([HEADER]), stampAt(1), controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
  await createConversation(database, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  await expect(exportBackup(database, { includeKeys: false, at: 1 }, controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

test('files keep their bytes through base64, whatever their length', async () => {
  const database = await freshDatabase();
  const other = await freshDatabase();
  const hashes: string[] = [];
  for (const length of [0, 1, 2, 3, 24_575, 24_576, 24_577, 100_000]) {
    hashes.push(await saveBlob(database, Uint8Array.from({ length }, (_value, place) => (place * 7) % 256).buffer, 'image/png', length));
  }
  expect((await imported(other, await exported(database))).files).toBe(hashes.length);
  for (const hash of hashes) expect((await readBlob(other, hash))?.body.bytes).toEqual((await readBlob(database, hash))?.body.bytes);
});
