import { afterEach, describe, expect, test } from 'vitest';
import { Peer, type Handlers, type PortLike } from '../../src/bridge/rpc';
import { AppError } from '../../src/core/errors';

interface Demo {
  double: { args: { value: number }; result: number };
  fail: { args: Record<string, never>; result: null };
  wait: { args: Record<string, never>; result: null };
  odd: { args: { value: unknown }; result: unknown };
}
interface Heard {
  told: { word: string };
}
type Nothing = Record<never, never>;

const open: MessagePort[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

function pair(over: Partial<Handlers<Demo>> = {}) {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  const aborted: string[] = [];
  const heard: string[] = [];
  const handlers: Handlers<Demo> = {
    double: async ({ value }) => value * 2,
    fail: async () => {
      throw new AppError('rate-limit', { retryable: true, details: { retryAfterMs: 5 } });
    },
    wait: async (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push('wait');
          reject(new DOMException('aborted', 'AbortError'));
        });
      }),
    odd: async ({ value }) => value,
    ...over,
  };
  const server = new Peer<Nothing, Demo, Heard, Nothing>(asPort(port1), handlers, () => undefined);
  const client = new Peer<Demo, Nothing, Nothing, Heard>(asPort(port2), {}, (name, payload) => {
    heard.push(`${name} ${payload.word}`);
  });
  return { server, client, aborted, heard };
}

/** Node's ports start by `start()` when `addEventListener` is used. */
function asPort(port: MessagePort): PortLike {
  port.start();
  return port;
}

describe('a command', () => {
  test('answers with its result', async () => {
    expect(await pair().client.call('double', { value: 21 })).toBe(42);
  });

  test('many at once get each their own answer', async () => {
    const { client } = pair();
    const all = await Promise.all(Array.from({ length: 50 }, (_, value) => client.call('double', { value })));
    expect(all).toEqual(Array.from({ length: 50 }, (_, value) => value * 2));
  });

  test('that fails throws the same code on this side', async () => {
    await expect(pair().client.call('fail', {})).rejects.toMatchObject({
      code: 'rate-limit',
      retryable: true,
      details: { retryAfterMs: 5 },
    });
  });

  test('that is cancelled rejects at once and is aborted over there', async () => {
    const { client, aborted } = pair();
    const controller = new AbortController();
    const call = client.call('wait', {}, controller.signal);
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await client.call('double', { value: 1 });
    expect(aborted).toEqual(['wait']);
  });

  test('whose other end dies rejects with the reason, as does every later one', async () => {
    const { client } = pair();
    const call = client.call('wait', {});
    client.close(new AppError('worker-died'));
    await expect(call).rejects.toMatchObject({ code: 'worker-died' });
    await expect(client.call('double', { value: 1 })).rejects.toMatchObject({ code: 'worker-died' });
  });

  test('with something that is not plain data is refused on this side', async () => {
    await expect(pair().client.call('odd', { value: () => 1 })).rejects.toMatchObject({
      code: 'internal',
      details: { notPlainData: 'odd' },
    });
  });

  test('whose result is not plain data fails instead of hanging', async () => {
    const { client } = pair({ odd: async () => () => 1 });
    await expect(client.call('odd', { value: 1 })).rejects.toMatchObject({ code: 'internal' });
  });

  test('by the name of something inherited is unknown', async () => {
    const { client } = pair();
    const raw: { call(name: string, args: unknown): Promise<unknown> } = Object.assign(Object.create(client), {
      call: (name: 'double', args: { value: number }) => client.call(name, args),
    });
    await expect(raw.call('toString', {})).rejects.toMatchObject({ code: 'internal', details: { unknownCommand: 'toString' } });
  });
});

test('events arrive in order', async () => {
  const { server, client, heard } = pair();
  for (const word of ['a', 'b', 'c']) server.emit('told', { word });
  await client.call('double', { value: 1 });
  expect(heard).toEqual(['told a', 'told b', 'told c']);
});

test('a stream is handed over', async () => {
  const { client } = pair({ odd: async () => ({ body: new Blob(['bytes']).stream() }) });
  const result = await client.call('odd', { value: null });
  const body =
    typeof result === 'object' && result !== null && 'body' in result && result.body instanceof ReadableStream ? result.body : null;
  expect(await new Response(body).text()).toBe('bytes');
});
