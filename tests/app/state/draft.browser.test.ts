import { beforeEach, expect, test } from 'vitest';
import { draftCopies } from '../../../src/app/state/draft-copies';
import { DraftState, type DraftDependencies } from '../../../src/app/state/draft.svelte';
import type { JackdawDatabase } from '../../../src/storage/db';
import { readDraft } from '../../../src/storage/drafts';
import { createFakeApp } from '../chat/fake-app';

const COPY = 'jackdaw:draft:new';
let database: JackdawDatabase;
let dependencies: DraftDependencies;

async function open(): Promise<DraftState> {
  const draft = new DraftState(dependencies, 'new');
  await draft.loaded;
  return draft;
}

beforeEach(async () => {
  sessionStorage.clear();
  ({ database } = await createFakeApp());
  dependencies = { database, now: () => 1, newId: () => crypto.randomUUID(), copies: draftCopies(() => sessionStorage) };
});

test('words have a copy from the moment of saving until the database has them', async () => {
  const draft = await open();
  draft.text = 'Hello';
  const saved = draft.flush();
  expect(sessionStorage.getItem(COPY)).toBe('Hello');
  await saved;
  expect(sessionStorage.getItem(COPY)).toBeNull();
  expect(await readDraft(database, 'new')).toMatchObject({ text: 'Hello' });
});

test('words that the database never got are there after a reload, and go into it then', async () => {
  const draft = await open();
  draft.text = 'Saved';
  await draft.flush();
  draft.text = 'Saved and more';
  // The page is closed in the middle of the write.
  dependencies.copies.keep('new', draft.text);
  const next = await open();
  expect(next.text).toBe('Saved and more');
  await next.flush();
  expect(await readDraft(database, 'new')).toMatchObject({ text: 'Saved and more' });
  expect(sessionStorage.getItem(COPY)).toBeNull();
});

test('a database that is lost costs no words and no second sentence', async () => {
  const draft = await open();
  await new Promise((resolve) => {
    indexedDB.deleteDatabase(database.name).onsuccess = resolve;
  });
  draft.text = 'Hello';
  await draft.flush();
  expect(draft.error).toBeNull();
  expect(sessionStorage.getItem(COPY)).toBe('Hello');
});

test('what was sent leaves no copy', async () => {
  const draft = await open();
  draft.text = 'Hello';
  await draft.submit(() => Promise.resolve('sent'));
  await draft.flush();
  expect(sessionStorage.getItem(COPY)).toBeNull();
  expect((await open()).text).toBe('');
});

test('a tab that may store nothing writes its drafts as before', async () => {
  const copies = draftCopies(() => {
    throw new DOMException('refused', 'SecurityError');
  });
  dependencies = { ...dependencies, copies };
  const draft = await open();
  draft.text = 'Hello';
  await draft.flush();
  expect((await open()).text).toBe('Hello');
});
