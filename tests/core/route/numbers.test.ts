import { describe, expect, test } from 'vitest';
import { readChineseNumber } from '../../../src/core/route/words/chinese-numbers';
import { readEnglishNumber } from '../../../src/core/route/words/english-numbers';

describe('numbers in English words', () => {
  const read = (text: string): string | null => {
    const words = text.split(' ');
    const number = readEnglishNumber(words, 0);
    return number === null ? null : `${number.digits}/${number.places} ${words.slice(number.count).join(' ')}`.trim();
  };

  test.each([
    ['zero', '0/0'],
    ['two hundred and five', '205/0'],
    ['twenty - five', '25/0'],
    ['twelve hundred', '1200/0'],
    ['one million two hundred thousand and one', '1200001/0'],
    ['nine hundred ninety nine trillion', '999000000000000/0'],
    ['three point one four', '314/2'],
    ['a hundred', '100/0'],
    ['two dozen eggs', '24/0 eggs'],
    ['five minus seventeen', '5/0 minus seventeen'],
    ['one two three', '1/0 two three'],
    ['twenty twelve', '20/0 twelve'],
    ['two hundred and cats', '200/0 and cats'],
    ['five and six', '5/0 and six'],
    ['thousand million', null],
    ['a cat', null],
    ['three point', '3/0 point'],
    ['one thousand million', '1000/0 million'],
  ])('%s', (text, wanted) => {
    expect(read(text)).toBe(wanted);
  });
});

describe('Chinese numerals', () => {
  test.each([
    ['十', '10'],
    ['十二', '12'],
    ['二十', '20'],
    ['一百二十三', '123'],
    ['一百二', '120'],
    ['一百零二', '102'],
    ['一千三', '1300'],
    ['三万五', '35000'],
    ['三万零五', '30005'],
    ['两千零五', '2005'],
    ['二〇二六', '2026'],
    ['一亿二千万', '120000000'],
    ['三万亿', '3000000000000'],
    ['一万二千亿', '1200000000000'],
    ['三点一四', '3.14'],
    ['1.5亿', '150000000'],
    ['3万5千', '35000'],
    ['2千3百', '2300'],
  ])('%s', (text, wanted) => {
    const numeral = readChineseNumber(text, 0);
    expect([numeral?.value.toString(), numeral?.end]).toEqual([wanted, text.length]);
  });

  test.each([
    ['三两', 1, '3'],
    ['三加五', 1, '3'],
    ['三点钟', 1, '3'],
    ['十百', 1, '10'],
    ['五百分之一', 2, '500'],
  ])('%s ends early', (text, end, value) => {
    const numeral = readChineseNumber(text, 0);
    expect([numeral?.value.toString(), numeral?.end]).toEqual([value, end]);
  });

  test.each(['百', '万', '15', '加', '', '点五'])('%j is none', (text) => {
    expect(readChineseNumber(text, 0)).toBeNull();
  });
});
