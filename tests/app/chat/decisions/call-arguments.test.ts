import { expect, test } from 'vitest';
import { argumentLines, isObjectText, visibleText } from '../../../../src/app/chat/decisions/call-arguments';

test('arguments are one a line: texts with their line breaks, the rest as JSON', () => {
  expect(argumentLines('{"script":"cd x\\nrm y","count":2,"deep":{"a":[1]},"none":null}')).toEqual([
    { name: 'script', value: 'cd x\nrm y' },
    { name: 'count', value: '2' },
    { name: 'deep', value: '{\n  "a": [\n    1\n  ]\n}' },
    { name: 'none', value: 'null' },
  ]);
  expect(argumentLines('')).toEqual([]);
  expect(argumentLines('{}')).toEqual([]);
});

test.each(['{"half":', '[1]', '"text"', 'null', '7'])('%s is no object: it is shown as it came', (text) => {
  expect(argumentLines(text)).toBeNull();
  expect(isObjectText(text)).toBe(false);
});

test('nothing that is approved can hide: unseen and turning characters are spelled out', () => {
  expect(visibleText('a\u202egnp.exe')).toBe('a\\u202egnp.exe');
  expect(visibleText('\u0000\u200b\u2028\r')).toBe('\\u0000\\u200b\\u2028\\u000d');
  expect(visibleText('line\r\nline\ttab')).toBe('line\nline\ttab');
  expect(visibleText('👩‍👧 می‌خواهم')).toBe('👩‍👧 می‌خواهم');
  expect(argumentLines('{"na\\u202eme":"\\u2066x"}')).toEqual([{ name: 'na\\u202eme', value: '\\u2066x' }]);
});
