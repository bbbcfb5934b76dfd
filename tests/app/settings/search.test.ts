import { expect, test } from 'vitest';
import { loadTexts } from '../../../src/app/locales';
import { searchSettings, settingEntries } from '../../../src/app/settings/search';
import { SETTINGS_SECTIONS } from '../../../src/app/state/route';

const english = settingEntries(await (await loadTexts('en', [], false)).loadSettings());
const chinese = settingEntries(await (await loadTexts('zh-Hans', [], false)).loadSettings());

test('every section and every entry can be found by its own name', () => {
  for (const entries of [english, chinese]) {
    expect(new Set(entries.map(({ section }) => section))).toEqual(new Set(SETTINGS_SECTIONS));
    for (const entry of entries) expect(searchSettings(entries, entry.name)).toContain(entry);
  }
});

test('names come before effects; case and width do not matter', () => {
  expect(searchSettings(english, 'THEME')[0]?.item).toBe('theme');
  expect(searchSettings(english, 'colours').map(({ item }) => item)).toContain('theme');
  expect(searchSettings(english, 'ｔｅｘｔ　size')[0]?.item).toBe('text-size');
  expect(searchSettings(chinese, '离线')[0]?.item).toBe('offline-lock');
});

test('blank finds nothing, and so does nonsense', () => {
  expect(searchSettings(english, '  ')).toEqual([]);
  expect(searchSettings(english, 'zzzz')).toEqual([]);
});
