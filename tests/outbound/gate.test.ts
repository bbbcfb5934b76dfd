import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/core/errors';
import type { GateRequest } from '../../src/outbound/gate';
import { streamOf } from '../providers/cuttings';
import { createTestGate } from './test-gate';

const URL_OUT = 'https://api.example.test/v1/chat';
const model: GateRequest = { purpose: 'model' };
const encoder = new TextEncoder();

/** A fetch that gives one answer and remembers how it was called. */
function fetchOf(answer: (signal: AbortSignal | null | undefined) => Response | Promise<Response>) {
  const calls: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    calls.push({ url: url instanceof Request ? url.url : String(url), init });
    return answer(init.signal);
  };
  return { fetch, calls };
}

/** A body that gives one piece and then stays silent; its end is what is asked of it. */
function silentBody(text: string): { body: ReadableStream<Uint8Array>; cancelled: () => boolean } {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(text));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  return { body, cancelled: () => isCancelled };
}

const untilAborted = (signal: AbortSignal | null | undefined): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    });
  });

describe('what leaves', () => {
  test('no cookie, no referrer, no cache, no redirect that carries the key', async () => {
    const { fetch, calls } = fetchOf(() => new Response('{}'));
    await createTestGate({ fetch }).gate.fetch(URL_OUT, { ...model, method: 'POST', headers: { Authorization: 'Bearer k' }, body: '{}' });
    expect(calls[0]?.init).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer k' },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'manual',
      body: '{}',
    });
    expect(calls[0]?.init).not.toHaveProperty('targetAddressSpace');
  });

  test.each([
    ['http://localhost:11434/v1', 'https://jackdaw.example', 'loopback'],
    ['http://192.168.1.2/v1', 'https://jackdaw.example', 'local'],
    ['http://localhost:11434/v1', 'http://localhost:4173', undefined],
  ])('%s from %s names the space %s', async (url, pageOrigin, space) => {
    const { fetch, calls } = fetchOf(() => new Response(null, { status: 204 }));
    await createTestGate({ fetch, pageOrigin }).gate.fetch(url, model);
    expect(Reflect.get(calls[0]?.init ?? {}, 'targetAddressSpace')).toBe(space);
  });

  test.each(['file:///etc/passwd', 'data:text/plain,x', 'nonsense', 'https://a:b@example.com'])('%s is no address', async (url) => {
    const { fetch, calls } = fetchOf(() => new Response());
    await expect(createTestGate({ fetch }).gate.fetch(url, model)).rejects.toMatchObject({ code: 'address-invalid' });
    expect(calls).toEqual([]);
  });

  test.each<[string, GateRequest, string]>([
    ['the file of a model', { purpose: 'model-download', headers: { Range: 'bytes=5-' } }, 'follow'],
    ['the file of a model, with a key', { purpose: 'model-download', headers: { Authorization: 'Bearer k' } }, 'manual'],
    ['the file of a model, with words', { purpose: 'model-download', method: 'POST', body: 'words' }, 'manual'],
    ['a picture', { purpose: 'image' }, 'follow'],
    ['a list of models', { purpose: 'model-list' }, 'manual'],
  ])('%s: whether a redirect is followed', async (_what, request, redirect) => {
    const { fetch, calls } = fetchOf(() => new Response('x'));
    await createTestGate({ fetch }).gate.fetch(URL_OUT, request);
    expect(calls[0]?.init).toMatchObject({ redirect, credentials: 'omit', referrerPolicy: 'no-referrer' });
  });

  test('a redirect is no answer', async () => {
    const { fetch } = fetchOf(() => new Response(null, { status: 302, headers: { location: 'https://elsewhere.test' } }));
    await expect(createTestGate({ fetch }).gate.fetch(URL_OUT, model)).rejects.toMatchObject({
      code: 'address-invalid',
      details: { reason: 'redirect', status: 302 },
    });
  });
});

describe('the offline lock', () => {
  test.each([URL_OUT, 'http://localhost:11434/v1/models', 'http://127.0.0.1:4173/'])('refuses %s before anything leaves', async (url) => {
    const { fetch, calls } = fetchOf(() => new Response());
    const outbound = createTestGate({ fetch, isLocked: () => Promise.resolve(true) });
    await expect(outbound.gate.fetch(url, model)).rejects.toMatchObject({ code: 'offline-lock', details: { host: new URL(url).host } });
    expect(calls).toEqual([]);
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'refused', status: 0, receivedBytes: 0 });
  });

  test('lets the app’s own origin through', async () => {
    const { fetch } = fetchOf(() => new Response('own'));
    const outbound = createTestGate({ fetch, isLocked: () => Promise.resolve(true) });
    expect(await (await outbound.gate.fetch('http://localhost:4173/x', model)).text()).toBe('own');
  });

  test('refuses where nobody knows whether it is on', async () => {
    const { fetch, calls } = fetchOf(() => new Response());
    const closed = new AppError('storage-closed');
    const outbound = createTestGate({ fetch, isLocked: () => Promise.reject(closed) });
    await expect(outbound.gate.fetch(URL_OUT, model)).rejects.toBe(closed);
    expect(calls).toEqual([]);
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'refused' });
  });
});

describe('the ledger row', () => {
  test('is written when the body ended, with its bytes and without path or words', async () => {
    let time = 1_000;
    const { fetch } = fetchOf(() => new Response(streamOf([encoder.encode('漢'), encoder.encode('ab')])));
    const outbound = createTestGate({ fetch, now: () => (time += 5) });
    const response = await outbound.gate.fetch(`${URL_OUT}?key=secret`, { ...model, method: 'POST', body: 'ü' });
    expect(outbound.rows).toEqual([]);
    await response.text();
    expect(await outbound.nextRow()).toEqual({
      at: 1_005,
      purpose: 'model',
      origin: 'https://api.example.test',
      method: 'POST',
      outcome: 'answered',
      status: 200,
      sentBytes: 2,
      receivedBytes: 5,
      durationMs: 5,
    });
  });

  test('is written at once where there is no body', async () => {
    const { fetch } = fetchOf(() => new Response(null, { status: 204 }));
    const outbound = createTestGate({ fetch });
    await outbound.gate.fetch(URL_OUT, model);
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'answered', status: 204 });
  });

  test('says failed where nobody answered', async () => {
    const { fetch } = fetchOf(() => Promise.reject(new TypeError('Failed to fetch')));
    const outbound = createTestGate({ fetch });
    await expect(outbound.gate.fetch(URL_OUT, model)).rejects.toMatchObject({ code: 'server-unreachable', retryable: true });
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'failed', status: 0 });
  });

  test('says failed where the body broke', async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulls += 1;
        if (pulls === 1) controller.enqueue(encoder.encode('abc'));
        else controller.error(new TypeError('terminated'));
      },
    });
    const outbound = createTestGate({ fetch: fetchOf(() => new Response(body)).fetch });
    const response = await outbound.gate.fetch(URL_OUT, model);
    await expect(response.text()).rejects.toMatchObject({ code: 'stream-cut', retryable: true });
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'failed', status: 200, receivedBytes: 3 });
  });

  test('never fails the request', async () => {
    const { fetch } = fetchOf(() => new Response('ok'));
    const record = (): Promise<void> => {
      throw new AppError('storage-quota');
    };
    const response = await createTestGate({ fetch, record }).gate.fetch(URL_OUT, model);
    expect(await response.text()).toBe('ok');
  });

  test('counts an error answer as answered, reading no more than 64 kB of it', async () => {
    const big = (): Response => new Response(streamOf(Array.from({ length: 100 }, () => new Uint8Array(8_192).fill(120))), { status: 500 });
    const outbound = createTestGate({ fetch: fetchOf(big).fetch });
    await expect(outbound.gate.fetch(URL_OUT, model)).rejects.toMatchObject({ code: 'provider-error', details: { status: 500 } });
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'answered', status: 500, receivedBytes: 65_536 });
  });
});

describe('aborted', () => {
  test('before it began', async () => {
    const controller = new AbortController();
    controller.abort();
    const outbound = createTestGate();
    await expect(outbound.gate.fetch(URL_OUT, { ...model, signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'aborted', status: 0 });
  });

  test('while it waits for the answer', async () => {
    const controller = new AbortController();
    const outbound = createTestGate({ fetch: fetchOf(untilAborted).fetch });
    const pending = outbound.gate.fetch(URL_OUT, { ...model, signal: controller.signal });
    setImmediate(() => {
      controller.abort();
    });
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'aborted', status: 0 });
  });

  test('by any reason, and it is still an AbortError', async () => {
    const controller = new AbortController();
    controller.abort('tab closed');
    await expect(createTestGate().gate.fetch(URL_OUT, { ...model, signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test.each(['any', 'events'] as const)('while the body is read as %s: no half answer passes for a whole one', async (expect_) => {
    const controller = new AbortController();
    const { body, cancelled } = silentBody('data: {"a":1}\n\n');
    const outbound = createTestGate({ fetch: fetchOf(() => new Response(body)).fetch });
    const response = await outbound.gate.fetch(URL_OUT, { ...model, signal: controller.signal, expect: expect_ });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    const next = reader?.read();
    controller.abort();
    expect(cancelled()).toBe(true);
    await expect(next).rejects.toMatchObject({ name: 'AbortError' });
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'aborted', status: 200, receivedBytes: 15 });
  });

  test('while nobody reads: the connection is closed and the row written', async () => {
    const controller = new AbortController();
    const { body, cancelled } = silentBody('x');
    const outbound = createTestGate({ fetch: fetchOf(() => new Response(body)).fetch });
    await outbound.gate.fetch(URL_OUT, { ...model, signal: controller.signal });
    controller.abort();
    expect(cancelled()).toBe(true);
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'aborted' });
  });
});

describe('silence', () => {
  test('before the answer is a timeout', async () => {
    const outbound = createTestGate({ fetch: fetchOf(untilAborted).fetch });
    await expect(outbound.gate.fetch(URL_OUT, { ...model, timeoutMs: 5 })).rejects.toMatchObject({ code: 'timeout', retryable: true });
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'failed' });
  });

  test('within the answer is a timeout too', async () => {
    const { body, cancelled } = silentBody('x');
    const outbound = createTestGate({ fetch: fetchOf(() => new Response(body)).fetch });
    const response = await outbound.gate.fetch(URL_OUT, { ...model, timeoutMs: 5 });
    await expect(response.text()).rejects.toMatchObject({ code: 'timeout' });
    expect(cancelled()).toBe(true);
    expect(await outbound.nextRow()).toMatchObject({ outcome: 'failed', receivedBytes: 1 });
  });
});

/** As a device that sleeps: nothing of this process happens, and what came meanwhile waits behind the timers that are overdue. */
async function sleepDeeply(ms: number, arrive: () => void): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  setTimeout(arrive, ms / 2);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('after a sleep that was longer than anybody waits', () => {
  test('the rest of the answer is read', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const { gate } = createTestGate({ fetch: fetchOf(() => new Response(readable)).fetch });
    const response = await gate.fetch(URL_OUT, { ...model, timeoutMs: 20 });
    const text = response.text();
    await sleepDeeply(60, () => {
      const writer = writable.getWriter();
      void writer.write(new TextEncoder().encode('x')).then(() => writer.close());
    });
    expect(await text).toBe('x');
  });

  test('the answer that has come is taken', async () => {
    let arrive = (): void => undefined;
    const late: typeof fetch = (_input, init) =>
      new Promise((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('given up')));
        arrive = () => resolve(new Response('x'));
      });
    const { gate } = createTestGate({ fetch: late });
    const response = gate.fetch(URL_OUT, { ...model, timeoutMs: 20 });
    await sleepDeeply(60, () => arrive());
    expect(await (await response).text()).toBe('x');
  });
});

describe('an answer that is none', () => {
  const answerOf = (text: string, contentType: string) =>
    createTestGate({ fetch: fetchOf(() => new Response(text, { headers: { 'content-type': contentType } })).fetch });

  test.each(['json', 'events'] as const)('a page where %s was expected', async (expect_) => {
    const { gate } = answerOf('<html><title>Welcome to nginx</title></html>', 'text/html');
    await expect(gate.fetch(URL_OUT, { ...model, expect: expect_ })).rejects.toMatchObject({
      code: 'not-an-api',
      details: { status: 200, message: 'Welcome to nginx' },
    });
  });

  test('a page under a false flag', async () => {
    const { gate } = answerOf('<!doctype html><html></html>', 'text/event-stream');
    const response = await gate.fetch(URL_OUT, { ...model, expect: 'events' });
    await expect(response.text()).rejects.toMatchObject({ code: 'not-an-api' });
  });

  test('an error with status 200', async () => {
    const { gate } = answerOf('{"error":{"code":"model_not_found","message":"No such model"}}', 'application/json');
    await expect(gate.fetch(URL_OUT, { ...model, expect: 'json' })).rejects.toMatchObject({ code: 'model-not-found' });
  });

  test('words where JSON was expected', async () => {
    const { gate } = answerOf('Ollama is running', 'text/plain');
    await expect(gate.fetch(URL_OUT, { ...model, expect: 'json' })).rejects.toMatchObject({ code: 'not-an-api' });
  });

  test('JSON passes, whatever it calls itself', async () => {
    const { gate } = answerOf('{"data":[]}', 'application/octet-stream');
    expect(await (await gate.fetch(URL_OUT, { ...model, expect: 'json' })).json()).toEqual({ data: [] });
  });

  test('the key is not quoted back', async () => {
    const fetch = () => Promise.resolve(new Response('{"error":"bad key my-secret-key"}', { status: 401 }));
    const { gate } = createTestGate({ fetch });
    const pending = gate.fetch(URL_OUT, { ...model, headers: { Authorization: 'Bearer my-secret-key' } });
    await expect(pending).rejects.toMatchObject({ code: 'auth', details: { message: 'bad key •••' } });
  });
});
