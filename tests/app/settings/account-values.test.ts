import { describe, expect, test } from 'vitest';
import { isBaseUrl, parseBody, parseNumber } from '../../../src/app/settings/account-values';

describe('numbers in fields', () => {
  const range = { low: 0, high: 2, isWhole: false };

  test.each([
    ['', undefined],
    ['  ', undefined],
    ['0', 0],
    [' 1.5 ', 1.5],
    ['0,7', 0.7],
    ['2.01', null],
    ['-0.1', null],
    ['abc', null],
    ['1e999', null],
    ['Infinity', null],
  ])('%j', (text, expected) => {
    expect(parseNumber(text, range)).toBe(expected);
  });

  test('whole numbers only where asked for', () => {
    expect(parseNumber('1.5', { low: 1, high: 100, isWhole: true })).toBeNull();
    expect(parseNumber('15', { low: 1, high: 100, isWhole: true })).toBe(15);
  });
});

test('extra body entries must be a JSON object', () => {
  expect(parseBody(' ')).toEqual({ type: 'body', body: {} });
  expect(parseBody('{"top_k": 5, "x": {"y": [null]}}')).toEqual({ type: 'body', body: { top_k: 5, x: { y: [null] } } });
  expect(parseBody('[1]')).toEqual({ type: 'not-object' });
  expect(parseBody('null')).toEqual({ type: 'not-object' });
  expect(parseBody('"text"')).toEqual({ type: 'not-object' });
  const broken = parseBody('{"a": }');
  expect(broken.type).toBe('not-json');
  expect(broken.type === 'not-json' && broken.reason.length > 0).toBe(true);
});

test.each([
  ['https://api.example.com/v1', true],
  [' http://localhost:11434/v1 ', true],
  ['http://[::1]:8080', true],
  ['localhost:11434', false],
  ['api.example.com', false],
  ['ftp://example.com', false],
  ['javascript:alert(1)', false],
  ['https://user:secret@example.com', false],
  ['https://example.com/v1?key=secret', false],
  ['', false],
])('%s as an address: %s', (text, expected) => {
  expect(isBaseUrl(text)).toBe(expected);
});
