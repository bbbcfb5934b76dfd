import { describe, expect, test } from 'vitest';
import { addressSpace, normaliseBaseUrl, parseHttpUrl } from '../../src/outbound/address';

describe('base URLs as people paste them', () => {
  test.each([
    ['https://api.openai.com', 'https://api.openai.com/v1'],
    ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
    [' https://api.openai.com/v1/ ', 'https://api.openai.com/v1'],
    ['https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1'],
    ['https://api.openai.com/v1/models?limit=2#top', 'https://api.openai.com/v1'],
    ['api.deepseek.com', 'https://api.deepseek.com/v1'],
    ['localhost:11434', 'http://localhost:11434/v1'],
    ['http://127.0.0.1:1234/', 'http://127.0.0.1:1234/v1'],
    ['192.168.1.20:8080/v1', 'http://192.168.1.20:8080/v1'],
    ['nas.local:8000', 'http://nas.local:8000/v1'],
    ['[::1]:8080', 'http://[::1]:8080/v1'],
    ['https://openrouter.ai/api', 'https://openrouter.ai/api/v1'],
    ['https://api.z.ai/api/paas/v4/', 'https://api.z.ai/api/paas/v4'],
    ['https://generativelanguage.googleapis.com/v1beta/openai/', 'https://generativelanguage.googleapis.com/v1beta/openai'],
    ['https://gateway.example/my/openai', 'https://gateway.example/my/openai'],
    ['HTTPS://API.EXAMPLE/V1/Chat/Completions', 'https://api.example/V1'],
  ])('%s → %s', (input, base) => {
    expect(normaliseBaseUrl(input)).toBe(base);
  });

  test.each(['', 'ftp://example.com', 'javascript:alert(1)', 'https://', 'https://user:secret@example.com/v1', 'not a url'])(
    '%j is no address',
    (input) => {
      expect(() => normaliseBaseUrl(input)).toThrowError(expect.objectContaining({ code: 'address-invalid' }));
    },
  );

  test('a password in an address is not repeated in the error', () => {
    expect(() => parseHttpUrl('https://user:secret@example.com')).toThrowError(
      expect.objectContaining({ details: { address: 'https://example.com' } }),
    );
  });
});

test.each([
  ['localhost', 'loopback'],
  ['app.localhost', 'loopback'],
  ['127.0.0.1', 'loopback'],
  ['127.255.0.3', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['[::1]', 'loopback'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.178.20', 'private'],
  ['169.254.1.1', 'private'],
  ['100.101.102.103', 'private'],
  ['100.20.0.1', 'public'],
  ['[fd12:3456::1]', 'private'],
  ['[fe80::1]', 'private'],
  ['[2606:4700::1111]', 'public'],
  ['printer.local', 'private'],
  ['nas', 'private'],
  ['localhost.example.com', 'public'],
  ['api.openai.com', 'public'],
])('%s is %s', (host, space) => {
  expect(addressSpace(host)).toBe(space);
});
