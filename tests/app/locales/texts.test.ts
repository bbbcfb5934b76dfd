import { describe, expect, test } from 'vitest';
import { loadTexts } from '../../../src/app/locales';
import { LANGUAGE_LIST, resolveLanguage } from '../../../src/app/locales/languages';
import { ERROR_CODES, type JsonObject } from '../../../src/core/errors';

/** Every path to a text: `shell.newChat`; functions keep their number of arguments. */
function shapeOf(value: unknown, path: string): readonly string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, entry]) => shapeOf(entry, path === '' ? name : `${path}.${name}`));
  }
  return [typeof value === 'function' ? `${path}()` : path];
}

const KEY = 'sk-proj-1234567890abcdefghij';
const DETAILS: readonly JsonObject[] = [
  {},
  {
    host: 'api.example.com',
    status: 418,
    message: `Incorrect API key provided: ${KEY}. See the docs.`,
    modelId: 'model-1',
    name: 'photo.tiff',
    limitBytes: 5_000_000,
    retryAfterMs: 1500,
    header: 'Cookie',
    address: 'ftp://x',
    pageOrigin: 'https://chat.example.com',
    space: 'loopback',
  },
  { host: 'api.example.com', cause: 'key-hidden', reason: 'redirect', space: 'public' },
];

describe('languages', () => {
  test('every language has exactly the texts of English', async () => {
    const english = await loadTexts('en', [], false);
    const expected = shapeOf(english, '').toSorted();
    const expectedSettings = shapeOf(await english.loadSettings(), '').toSorted();
    const expectedTools = shapeOf(await english.loadTools(), '').toSorted();
    for (const { tag } of LANGUAGE_LIST) {
      const texts = await loadTexts(tag, [], false);
      expect(shapeOf(texts, '').toSorted(), tag).toEqual(expected);
      expect(shapeOf(await texts.loadSettings(), '').toSorted(), tag).toEqual(expectedSettings);
      expect(shapeOf(await texts.loadTools(), '').toSorted(), tag).toEqual(expectedTools);
    }
  });

  test('no text of Chinese is left in English, and its punctuation is Chinese', async () => {
    const chinese = await loadTexts('zh-Hans', [], false);
    const sentences = ERROR_CODES.map((code) => chinese.errors[code]({})).flatMap(({ title, advice }) => [title, advice]);
    for (const sentence of sentences) {
      expect(sentence).toMatch(/[\u4e00-\u9fff]/);
      expect(sentence).not.toMatch(/[\u4e00-\u9fff][,;:?!()]/);
    }
  });

  test.each([
    ['auto', ['zh-CN', 'en'], 'zh-Hans'],
    ['auto', ['zh-Hant-TW'], 'zh-Hans'],
    ['auto', ['de-DE', 'en-GB'], 'en'],
    ['auto', ['fr'], 'en'],
    ['auto', [], 'en'],
    ['zh-Hans', ['en'], 'zh-Hans'],
  ] as const)('%s with %j becomes %s', (setting, browser, expected) => {
    expect(resolveLanguage(setting, browser)).toBe(expected);
  });

  test('the pseudo-language changes and lengthens every text but keeps the tag and the figures', async () => {
    const [english, pseudo] = [await loadTexts('en', [], false), await loadTexts('zh-Hans', [], true)];
    expect(pseudo.tag).toBe('en');
    expect(shapeOf(pseudo, '')).toEqual(shapeOf(english, ''));
    expect(pseudo.shell.newChat).not.toContain('New chat');
    expect(pseudo.shell.newChat.length).toBeGreaterThanOrEqual(english.shell.newChat.length * 1.4);
    expect((await pseudo.loadSettings()).privacy.promise).toMatch(/^\[.*\]$/);
    const advice = pseudo.errors['rate-limit']({ retryAfterMs: 7000 }).advice;
    expect(advice).toContain('7');
    expect(advice).not.toContain('Wait');
  });
});

describe.each(['en', 'zh-Hans'] as const)('errors in %s', (tag) => {
  test.each(ERROR_CODES)('%s says what happened and what to do, and never a key', async (code) => {
    const { errors } = await loadTexts(tag, [], false);
    for (const details of DETAILS) {
      const { title, advice } = errors[code](details);
      expect(title.length).toBeGreaterThan(5);
      expect(advice.length).toBeGreaterThan(5);
      expect(title + advice).not.toMatch(/undefined|null|NaN|\[object|\s{2}/);
      expect(title + advice).not.toContain('1234567890');
    }
  });

  test('facts make the sentence exact', async () => {
    const { errors } = await loadTexts(tag, [], false);
    expect(errors.auth(DETAILS[1] ?? {}).title).toContain('api.example.com');
    expect(errors['origin-blocked'](DETAILS[1] ?? {}).advice).toContain('https://chat.example.com');
    expect(errors['model-not-found'](DETAILS[1] ?? {}).title).toContain('model-1');
    expect(errors['rate-limit'](DETAILS[1] ?? {}).advice).toContain('2');
    expect(errors['server-unreachable']({ space: 'loopback' }).advice).not.toBe(errors['server-unreachable']({ space: 'public' }).advice);
  });
});
