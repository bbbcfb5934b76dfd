import { describe, expect, test } from 'vitest';
import { applyHeaderPolicy, checkUserHeaders } from '../../src/outbound/host-policy';

describe('headers of the user', () => {
  test.each([
    'Cookie',
    'host',
    'Origin',
    'Referer',
    'Sec-Fetch-Mode',
    'Proxy-Authorization',
    'Content-Length',
    'User-Agent',
    'X-Stainless-OS',
    'X-App-Id',
  ])('%s would be lost and is reported', (name) => {
    expect(() => {
      checkUserHeaders([{ name, value: 'x' }]);
    }).toThrowError(expect.objectContaining({ code: 'header-forbidden', details: { header: name, reason: 'forbidden' } }));
  });

  test.each([
    ['X Title', 'ok'],
    ['', 'ok'],
    ['X-Title', 'two\nlines'],
    ['X-Title', 'Ünicode 漢'],
  ])('%j: %j is no header', (name, value) => {
    expect(() => {
      checkUserHeaders([{ name, value }]);
    }).toThrowError(expect.objectContaining({ code: 'header-forbidden' }));
  });

  test('ordinary ones pass', () => {
    expect(() => {
      checkUserHeaders([
        { name: 'X-Title', value: 'Jäckdaw' },
        { name: 'HTTP-Referer', value: 'https://a.example' },
      ]);
    }).not.toThrow();
  });
});

describe('headers that leave', () => {
  test('names in lower case, identity taken out', () => {
    const headers = {
      Authorization: 'Bearer k',
      'X-Stainless-Lang': 'js',
      'User-Agent': 'sdk',
      'x-app-name': 'j',
      Accept: 'application/json',
    };
    expect(applyHeaderPolicy(headers, 'api.mistral.ai')).toEqual({ authorization: 'Bearer k', accept: 'application/json' });
  });

  test('a strict host gets its list only, and what the user set', () => {
    const headers = { authorization: 'Bearer k', accept: 'application/json', 'x-extra': '1', 'x-own': '2' };
    expect(applyHeaderPolicy(headers, 'generativelanguage.googleapis.com', ['x-own'])).toEqual({ authorization: 'Bearer k', 'x-own': '2' });
    expect(applyHeaderPolicy(headers, 'api.moonshot.cn')).toEqual({ authorization: 'Bearer k', accept: 'application/json' });
  });

  test('one that the browser drops stops the request', () => {
    expect(() => applyHeaderPolicy({ cookie: 'a=b' }, 'api.example.test')).toThrowError(
      expect.objectContaining({ code: 'header-forbidden' }),
    );
  });
});
