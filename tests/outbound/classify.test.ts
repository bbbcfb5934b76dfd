import { afterAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/core/errors';
import { classifyProviderError, classifyResponse, redact } from '../../src/outbound/classify';
import { MAX_WORDS, parseDuration } from '../../src/outbound/error-text';
import { isRecord, recordAt, type UnknownRecord } from '../../src/outbound/json';
import { hasFixtures, listFixtures, readJsonFixture } from '../support/fixtures';

/** The codes in which a kind of the recorded answers may end. */
const CODES: Readonly<Record<string, readonly ErrorCode[]>> = {
  auth: ['auth'],
  quota: ['quota'],
  rate_limit: ['rate-limit'],
  overloaded: ['overloaded'],
  context_length: ['context-overflow'],
  bad_request: ['request-rejected'],
  not_found: ['model-not-found', 'not-an-api'],
  server: ['provider-error'],
  gateway: ['provider-error'],
};

/** A good answer by its status; only the protocol knows that it is none. */
const NOT_BY_STATUS = 'streams/errors/gemini-finish-other-no-content.json';

const classify = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  classifyResponse(
    status,
    new Headers(headers),
    typeof body === 'string' ? body : JSON.stringify(body),
    'https://api.example.test/v1/chat',
  );

describe.skipIf(!hasFixtures)('recorded error answers', () => {
  const names = listFixtures('streams/errors', '.json').filter((name) => name !== NOT_BY_STATUS);
  let passed = 0;
  afterAll(() => {
    console.log(`error answers classified: ${passed} / ${names.length} (1 more is no error by its status)`);
  });

  test('are all there', () => {
    expect(names.length).toBeGreaterThanOrEqual(46);
  });

  test.each(names)('%s', (name) => {
    const file = readJsonFixture(name);
    if (!isRecord(file)) throw new Error('not an object');
    const expected = recordAt(file, 'expected');
    const error = classify(Number(file['status']), String(file['body']), textsOf(recordAt(file, 'headers')));
    expect(CODES[String(expected['kind'])]).toContain(error.code);
    expect(error.retryable).toBe(expected['retryable']);
    if (expected['retryAfterMs'] !== undefined) expect(error.details['retryAfterMs']).toBe(expected['retryAfterMs']);
    const words = error.details['message'];
    expect(words).not.toMatch(/\[object|[{}]|<[a-z]/i);
    if (file['body'] !== '') expect(words).not.toBe('');
    passed += 1;
  });
});

describe('a model that is not there is told from an address that is not there', () => {
  test.each([
    ['model-not-found', { error: { code: 'model_not_found', message: 'The model `x` does not exist' } }],
    ['model-not-found', { error: 'model "llama9" not found, try pulling it first' }],
    ['not-an-api', '404 page not found'],
    ['not-an-api', { detail: 'Not Found' }],
    ['not-an-api', '<html><title>Not Found</title></html>'],
  ])('%s for %j', (code, body) => {
    expect(classify(404, body).code).toBe(code);
  });
});

describe('the provider’s words are found wherever they stand', () => {
  test.each([
    [{ error: { message: 'Under error' } }, 'Under error'],
    [{ error: 'A string' }, 'A string'],
    [{ detail: 'Under detail' }, 'Under detail'],
    [{ detail: [{ loc: ['body'], msg: 'In a list' }] }, 'In a list'],
    [{ message: 'At the top' }, 'At the top'],
    [{ message: { detail: [{ msg: 'Deep' }] } }, 'Deep'],
    [[{ error: { message: 'In an array' } }], 'In an array'],
    [{ error: { message: 'Gateway', metadata: { raw: '{"error":{"message":"Upstream"}}' } } }, 'Upstream'],
    ['plain words', 'plain words'],
    ['<html><head><title>502 Bad Gateway</title></head><script>x()</script></html>', '502 Bad Gateway'],
    ['', ''],
    [{ error: {} }, ''],
  ])('%j', (body, words) => {
    expect(classify(500, body).details['message']).toBe(words);
  });

  test('and are cut to a sane length', () => {
    expect(classify(500, { error: 'x'.repeat(9_000) }).details['message']).toHaveLength(MAX_WORDS);
  });
});

describe('an error inside an answer', () => {
  test.each([
    [{ error: { code: 429, message: 'Slow down' } }, 'rate-limit', true],
    [{ error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded', true],
    [{ error: { message: 'The model has crashed' } }, 'provider-error', false],
    [{ code: 500, message: 'context shift is disabled and the window is full', type: 'server_error' }, 'context-overflow', false],
    [{ code: 'invalid-argument', error: 'Incorrect API key provided.' }, 'auth', false],
    [{ error: { code: 'content_filter', message: 'Blocked' } }, 'refused', false],
    [{ error: { type: 'server_error', message: 'Something broke' } }, 'provider-error', true],
  ] satisfies readonly [UnknownRecord, ErrorCode, boolean][])('%j is %s', (error, code, retryable) => {
    expect(classifyProviderError(error, 'https://api.example.test')).toMatchObject({ code, retryable });
  });
});

test('a date to wait for counts from the server’s clock, and from ours only without it', () => {
  const until = 'Thu, 01 Jan 2026 00:00:30 GMT';
  const at = (headers: Record<string, string>, now?: number) =>
    classifyResponse(503, new Headers(headers), '', 'https://a.test', now === undefined ? {} : { now }).details['retryAfterMs'];
  expect(at({ 'retry-after': until, date: 'Thu, 01 Jan 2026 00:00:10 GMT' }, 0)).toBe(20_000);
  expect(at({ 'retry-after': until }, Date.UTC(2026, 0, 1, 0, 0, 25))).toBe(5_000);
  expect(at({ 'retry-after': until }, Date.UTC(2027, 0, 1))).toBe(0);
  expect(at({ 'retry-after': until })).toBeUndefined();
});

test.each([
  ['7', 7_000],
  ['34.4s', 34_400],
  ['120ms', 120],
  ['1m30s', 90_000],
  ['soon', undefined],
  ['', undefined],
])('the duration %j is %s ms', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test('keys are never quoted', () => {
  expect(redact('bad key my-own-secret-1 here', ['my-own-secret-1'])).toBe('bad key ••• here');
  expect(redact('bad key sk-proj-ABCDEFGHIJKLMNOP1234 here', [])).toBe('bad key ••• here');
  expect(redact('the task-force said', [])).toBe('the task-force said');
});

function textsOf(record: UnknownRecord): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));
}
