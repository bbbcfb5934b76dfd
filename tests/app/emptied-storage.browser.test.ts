import { beforeEach, expect, test } from 'vitest';
import { tellIfEmptied } from '../../src/app/emptied-storage';
import { keptMark } from '../../src/app/state/kept-mark';
import type { PaintHint } from '../../src/app/state/paint';
import { readSettings } from '../../src/storage/settings';
import { createFakeApp, seedConversation, userNode, type FakeApp } from './chat/fake-app';

const FIRST_VISIT: PaintHint = { theme: 'auto', textSize: 'medium', language: 'auto', sidebarOpen: true };
const mark = keptMark(() => sessionStorage);
let app: FakeApp;
const codes = (): unknown[] => app.notices.current.map((notice) => (notice.type === 'error' ? notice.error.code : notice.text));

beforeEach(async () => {
  sessionStorage.clear();
  app = await createFakeApp();
});

test('a first visit is told nothing', async () => {
  await tellIfEmptied(app, mark, FIRST_VISIT);
  expect(codes()).toEqual([]);
  expect(mark.isSet).toBe(false);
});

test('an emptied database is told until it is taken note of; the choices of the last visit go into it', async () => {
  mark.set();
  await tellIfEmptied(app, mark, { ...FIRST_VISIT, theme: 'dark', language: 'zh-Hans' });
  expect(codes()).toEqual(['storage-emptied']);
  expect(await readSettings(app.database)).toMatchObject({ theme: 'dark', language: 'zh-Hans', textSize: 'medium' });
  expect(mark.isSet).toBe(true);
  app.notices.dismiss(app.notices.current[0]?.id ?? 0);
  expect(mark.isSet).toBe(false);
});

test('conversations set the mark', async () => {
  await seedConversation(app.database, [userNode(null, 'Hello')]);
  await tellIfEmptied(app, mark, FIRST_VISIT);
  expect(mark.isSet).toBe(true);
  expect(codes()).toEqual([]);
});

test('a mark that can be neither read nor written is none', () => {
  const refused = keptMark(() => {
    throw new DOMException('refused', 'SecurityError');
  });
  refused.set();
  refused.clear();
  expect(refused.isSet).toBe(false);
});
