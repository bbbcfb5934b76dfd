import { expect, test } from 'vitest';
import type { LedgerRow } from '../../src/storage/db';
import { appendLedger, readLedger } from '../../src/storage/ledger';
import { deviceId, readMeta, writeMeta } from '../../src/storage/meta';
import { consumeOutbox, type OutboxConsumer } from '../../src/storage/outbox';
import { noteChanges, nodeChange } from '../../src/storage/outbox-rows';
import { readSettings, writeSetting } from '../../src/storage/settings';
import { DEFAULT_SETTINGS } from '../../src/core/settings';
import { codeOf, freshDatabase, stampAt } from './support';

async function withChanges(count: number) {
  const database = await freshDatabase();
  await noteChanges(
    database,
    Array.from({ length: count }, (_value, place) => nodeChange(`n${place}`, 'c1', 'put')),
    5,
  );
  return database;
}

test('changes are handed over in order and forgotten when everybody took them', async () => {
  const database = await withChanges(450);
  const seen: string[] = [];
  const sizes: number[] = [];
  const consumer: OutboxConsumer = {
    id: 'reader',
    consume: (_database, rows) => {
      seen.push(...rows.map((row) => row.id));
      sizes.push(rows.length);
      return Promise.resolve();
    },
  };
  expect(await consumeOutbox(database, [consumer], new AbortController().signal)).toBe(450);
  expect(seen).toEqual(Array.from({ length: 450 }, (_value, place) => `n${place}`));
  expect(Math.max(...sizes)).toBeLessThan(450);
  expect(await database.outbox.count()).toBe(0);
});

test('a consumer that fails sees its batch again, those before it see it twice', async () => {
  const database = await withChanges(3);
  let isBroken = true;
  const seen: string[][] = [[], []];
  const consumers: OutboxConsumer[] = [0, 1].map((place) => ({
    id: `consumer-${place}`,
    consume: (_database, rows) => {
      if (place === 1 && isBroken) return Promise.reject(new Error('not now'));
      seen[place]?.push(...rows.map((row) => row.id));
      return Promise.resolve();
    },
  }));
  const signal = new AbortController().signal;
  await expect(consumeOutbox(database, consumers, signal)).rejects.toThrow('not now');
  expect(await database.outbox.count()).toBe(3);
  isBroken = false;
  await consumeOutbox(database, consumers, signal);
  expect(seen).toEqual([
    ['n0', 'n1', 'n2', 'n0', 'n1', 'n2'],
    ['n0', 'n1', 'n2'],
  ]);
});

test('an abort ends consuming between two batches and is no error of storage', async () => {
  const database = await withChanges(450);
  const controller = new AbortController();
  const consumer: OutboxConsumer = { id: 'aborting', consume: () => Promise.resolve(controller.abort()) };
  await expect(consumeOutbox(database, [consumer], controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect(await database.outbox.count()).toBeGreaterThan(0);
  expect(await database.outbox.count()).toBeLessThan(450);
});

test('settings have defaults, and a damaged one falls back without taking the others along', async () => {
  const database = await freshDatabase();
  expect(await readSettings(database)).toEqual(DEFAULT_SETTINGS);
  await writeSetting(database, 'theme', 'dark', stampAt(1));
  await writeSetting(database, 'defaultModel', { accountId: 'a', modelId: 'm' }, stampAt(2));
  const clock = { time: 1, device: 'd' };
  await database.settings.put({ key: 'textSize', clock, body: { value: { __proto__: null, evil: 1 } } });
  await database.settings.put({ key: 'from-the-future', clock, body: { value: 1 } });
  expect(await readSettings(database)).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark', defaultModel: { accountId: 'a', modelId: 'm' } });
});

test('the id of the device is made once, also when two ask at once', async () => {
  const database = await freshDatabase();
  let made = 0;
  const newId = () => `device-${(made += 1)}`;
  const ids = await Promise.all([deviceId(database, newId), deviceId(database, newId)]);
  expect(ids).toEqual(['device-1', 'device-1']);
  await writeMeta(database, 'persist-asked', true);
  expect(await readMeta(database, 'persist-asked')).toBe(true);
  expect(await readMeta(database, 'outbox-cursor')).toBeUndefined();
});

test('the ledger keeps the newest 5,000 and reads newest first', async () => {
  const database = await freshDatabase();
  const row = (at: number): LedgerRow => ({
    at,
    purpose: 'model',
    origin: 'https://example.test',
    method: 'POST',
    outcome: 'answered',
    status: 200,
    sentBytes: 1,
    receivedBytes: 2,
    durationMs: 3,
  });
  await database.ledger.bulkAdd(Array.from({ length: 4999 }, (_value, place) => row(place)));
  for (const at of [5001, 5002, 5003]) await appendLedger(database, row(at));
  expect(await database.ledger.count()).toBe(5000);
  const newest = await readLedger(database, 2);
  expect(newest.map((entry) => entry.at)).toEqual([5003, 5002]);
  expect(newest[0]?.id).toBe(5002);
  expect((await database.ledger.orderBy('id').first())?.at).toBe(2);
});

test('an unknown failure of a consumer keeps its own face', async () => {
  const database = await withChanges(1);
  const failing: OutboxConsumer = { id: 'failing', consume: () => Promise.reject(new TypeError('bug')) };
  expect(await codeOf(consumeOutbox(database, [failing], new AbortController().signal))).toBeInstanceOf(TypeError);
});
