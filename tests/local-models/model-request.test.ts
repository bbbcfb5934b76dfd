import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { describeFiles, atHost } from '../../src/local-models/hub';
import { fileNameOf, requestModelFile } from '../../src/local-models/model-request';
import { createTestGate } from '../outbound/test-gate';
import { FakeHub, ggufBytes, sha256 } from '../support/fake-hub';

const URL_OUT = 'https://hub.example/owner/repo/resolve/main/model.gguf';
const never = new AbortController().signal;

describe('a request for a file', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('that nobody answers ends after a minute of silence', async () => {
    const fetch = async (_url: unknown, init: RequestInit = {}): Promise<Response> =>
      new Promise((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => {
          // As the real one: with the reason that was given.
          reject(init.signal?.reason instanceof Error ? init.signal.reason : new Error('no reason'));
        });
      });
    const asking = requestModelFile(URL_OUT, createTestGate({ fetch }).gate, never);
    const timedOut = expect(asking).rejects.toMatchObject({ code: 'timeout', retryable: true, details: { timeoutMs: 60_000 } });
    await vi.advanceTimersByTimeAsync(62_000);
    await timedOut;
  });

  test('whose body falls silent ends the same way', async () => {
    const hub = new FakeHub('https://hub.example/');
    hub.put('owner/repo/resolve/main/model.gguf', ggufBytes(1000), { hangAfter: 500 });
    const response = await requestModelFile(URL_OUT, createTestGate({ fetch: hub.fetch }).gate, never, 0);
    const timedOut = expect(response.arrayBuffer()).rejects.toMatchObject({ code: 'timeout' });
    await vi.advanceTimersByTimeAsync(62_000);
    await timedOut;
  });

  test.each([401, 403, 404, 410])('a %s names the file that is not there', async (status) => {
    const { gate } = createTestGate({ fetch: async () => new Response('no', { status }) });
    await expect(requestModelFile(URL_OUT, gate, never)).rejects.toMatchObject({
      code: 'model-not-found',
      details: { status, host: 'hub.example', modelId: 'model.gguf' },
    });
  });

  test.each([
    [500, 'provider-error'],
    [503, 'overloaded'],
    [429, 'rate-limit'],
  ])('a %i is the server’s trouble and may pass', async (status, code) => {
    const { gate } = createTestGate({ fetch: async () => new Response('no', { status }) });
    await expect(requestModelFile(URL_OUT, gate, never)).rejects.toMatchObject({ code, retryable: true });
  });
});

describe('what the hub says of files', () => {
  const file = (path: string) => ({ url: `https://huggingface.co/${path}`, bytes: null, sha256: null });
  const hub = new FakeHub('https://mirror.example/');
  hub.put('owner/repo/resolve/main/a.gguf', ggufBytes(100));
  hub.put('owner/repo/resolve/main/sub/b.gguf', ggufBytes(200));
  const told = async (...files: readonly ReturnType<typeof file>[]) => {
    const { gate, rows } = createTestGate({ fetch: hub.fetch });
    const described = await describeFiles(files, { gate, modelHost: hub.url, signal: never });
    return { sizes: described.map(({ bytes }) => bytes), hashes: described.map((one) => one.sha256), asked: rows.length };
  };

  test('size and hash, each list asked once', async () => {
    const { sizes, hashes, asked } = await told(
      file('owner/repo/resolve/main/a.gguf?download=true'),
      file('owner/repo/resolve/main/missing.gguf'),
      file('owner/repo/resolve/main/sub/b.gguf'),
    );
    expect(sizes).toEqual([100, null, 200]);
    expect(hashes).toEqual([await sha256(ggufBytes(100)), null, await sha256(ggufBytes(200))]);
    expect(asked).toBe(2);
  });

  test('nobody is asked about what lies elsewhere', async () => {
    expect(await told({ ...file(''), url: 'https://example.org/a.gguf' })).toEqual({ sizes: [null], hashes: [null], asked: 0 });
  });

  test('an address at the mirror is one of the hub', async () => {
    expect(await told({ ...file(''), url: 'https://mirror.example/owner/repo/resolve/main/a.gguf' })).toMatchObject({ sizes: [100] });
  });

  test('a mirror without lists, or with pages in their place, is no failure', async () => {
    hub.hasLists = false;
    expect(await told(file('owner/repo/resolve/main/a.gguf'))).toMatchObject({ sizes: [null] });
    const page = async (): Promise<Response> => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const { gate } = createTestGate({ fetch: page });
    const described = await describeFiles([file('owner/repo/resolve/main/a.gguf')], { gate, modelHost: hub.url, signal: never });
    expect(described).toEqual([file('owner/repo/resolve/main/a.gguf')]);
  });

  test('a pause in the middle of it is a pause', async () => {
    const { gate } = createTestGate({ fetch: hub.fetch });
    const paused = describeFiles([file('owner/repo/resolve/main/a.gguf')], { gate, modelHost: hub.url, signal: AbortSignal.abort() });
    await expect(paused).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test.each([
  ['https://example.org/a/My%20model.gguf?download=true#x', 'My model.gguf'],
  ['https://example.org/100%.gguf', '100%.gguf'],
  ['https://example.org/', ''],
])('the name of %s', (url, name) => {
  expect(fileNameOf(url)).toBe(name);
});

test('only addresses of the hub are led to the mirror', () => {
  expect(atHost('https://huggingface.co/a/b', 'https://mirror.example/hub/')).toBe('https://mirror.example/hub/a/b');
  expect(atHost('https://example.org/a/b', 'https://mirror.example/')).toBe('https://example.org/a/b');
});
