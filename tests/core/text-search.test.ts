import { describe, expect, test } from 'vitest';
import { excerptAround, foldText, holdsAll, searchWords } from '../../src/core/text-search';

const excerpt = (text: string, query: string, max = 200): string => excerptAround(text, searchWords(query), max);

describe('what is the same to a search', () => {
  test.each([
    ['JACKDAW', 'jackdaw'],
    ['ＪＡＣＫ', 'jack'],
    ['ﬁle', 'file'],
    ['cafe\u0301', 'café'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδός', 'οδόσ'],
    ['寒鸦', '寒鸦'],
    ['ｶﾞ', 'ガ'],
  ])('%s is %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test('words are those between spaces, wide ones too, each once', () => {
    expect(searchWords('  Visa　Japan visa ')).toEqual(['visa', 'japan']);
    expect(searchWords(' \n')).toEqual([]);
  });

  test('all words have to occur, also inside of others', () => {
    expect(holdsAll(foldText('The Jackdaws of Europe'), searchWords('europe jackdaw'))).toBe(true);
    expect(holdsAll(foldText('The Jackdaws of Europe'), searchWords('jackdaw asia'))).toBe(false);
    expect(holdsAll(foldText('寒鸦常住在塔楼里'), searchWords('塔楼'))).toBe(true);
  });
});

describe('an excerpt', () => {
  test('marks every hit as it is written', () => {
    expect(excerpt('Jackdaws: a JACKDAW is a bird.', 'jackdaw bird')).toBe('[Jackdaw]s: a [JACKDAW] is a [bird].');
    expect(excerpt('寒鸦常住在塔楼里。', '塔楼')).toBe('寒鸦常住在[塔楼]里。');
  });

  test('marks whole characters where folding changes lengths before and in the hit', () => {
    expect(excerpt('ﬁﬁﬁ ﬂ İstanbul ﬁle e\u0301te\u0301 now', 'file')).toBe('ﬁﬁﬁ ﬂ İstanbul [ﬁle] e\u0301te\u0301 now');
    expect(excerpt('e\u0301te\u0301 e\u0301te\u0301 now', 'now')).toBe('e\u0301te\u0301 e\u0301te\u0301 [now]');
  });

  test('is one line around the first hit that says where it was cut', () => {
    const text = `${'before '.repeat(100)}\n\n needle\t${'after '.repeat(100)}`;
    const line = excerpt(text, 'needle');
    expect(line).toContain('before [needle] after');
    expect(line.startsWith('…')).toBe(true);
    expect(line.endsWith('…')).toBe(true);
    expect(line).not.toMatch(/[\n\t]/);
    expect(line.length).toBeLessThanOrEqual(200);
  });

  test('finds its place behind a long text that folding shortens', () => {
    const line = excerpt(`${'e\u0301'.repeat(5_000)} needle`, 'needle');
    expect(line).toMatch(/^…(?:e\u0301)+ \[needle\]$/u);
  });

  test.each([2, 10, 57, 200])('has at most %i characters, whatever is in it', (max) => {
    for (const text of ['a '.repeat(500), '👩‍👩‍👧'.repeat(100), 'aaaa'.repeat(100), '𠮷野家'.repeat(100), `x ${'a'.repeat(400)}`]) {
      const line = excerpt(text, 'a', max);
      expect(line.length).toBeLessThanOrEqual(max);
      expect(line).toBe(line.toWellFormed());
      expect(line.split('[').length).toBe(line.split(']').length);
    }
  });

  test('without a hit is the beginning', () => {
    expect(excerpt('Some words.', 'none')).toBe('Some words.');
  });
});
