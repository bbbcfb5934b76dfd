import { describe, expect, test } from 'vitest';
import { HEADER_POLICY } from '../../src/core/content-security-policy';
import { isIntact, withSafetyHeaders } from '../../src/service-worker/responses';

const answer = (type: string, status = 200): Response => new Response('x', { status, headers: { 'content-type': type } });

describe('isIntact', () => {
  test.each([
    ['a script', 'assets/a-1.js', answer('text/javascript; charset=utf-8'), true],
    ['a script of an older name', 'assets/a-1.js', answer('application/javascript'), true],
    ['the start page in place of a script', 'assets/a-1.js', answer('text/html'), false],
    ['the start page in place of a style sheet', 'assets/a-1.css', answer('text/html; charset=utf-8'), false],
    ['the start page in place of a font', 'assets/a-1.woff2', answer('text/html'), false],
    ['a font of any type', 'assets/a-1.woff2', answer('application/octet-stream'), true],
    ['the page', 'index.html', answer('text/html'), true],
    ['the page by its folder', '', answer('text/html'), true],
    ['a missing file', 'assets/a-1.js', answer('text/javascript', 404), false],
    ['a part of a file', 'assets/a-1.js', answer('text/javascript', 206), false],
  ])('%s', (_what, path, response, expected) => {
    expect(isIntact(new URL(path, 'https://example.org/app/'), response)).toBe(expected);
  });
});

describe('withSafetyHeaders', () => {
  test('adds the policy and isolation, and keeps the rest', async () => {
    const response = withSafetyHeaders(answer('text/javascript'));
    expect(response.headers.get('content-security-policy')).toBe(HEADER_POLICY);
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(response.headers.get('cross-origin-embedder-policy')).toBe('credentialless');
    expect(response.headers.get('content-type')).toBe('text/javascript');
    expect(await response.text()).toBe('x');
  });

  test('leaves an error as it is', () => {
    const error = Response.error();
    expect(withSafetyHeaders(error)).toBe(error);
  });
});
