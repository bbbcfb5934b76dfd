import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../src/core/errors';
import { createModelStore } from '../../src/local-models/model-store';
import type { DownloadProgress } from '../../src/local-models/store';
import type { Gate } from '../../src/outbound/gate';
import { RealEngine } from '../support/engine-line';
import { GPU_MODEL } from '../support/local-host';

const FOLDER = 'https://huggingface.co/owner/model-MLC/resolve/main/';
const LIBRARY = 'https://libraries.example/model.wasm';
const CHOICE = { recordId: 'own-model', custom: { model: FOLDER, library: LIBRARY } };
const RECORD = { recordId: 'own-model', model: FOLDER, library: LIBRARY, memoryBytes: null, contextTokens: 4096 };
const MIRROR = 'https://mirror.example/';
const SHARD_BYTES = 5000;

const WEIGHTS = {
  records: ['params_shard_0.bin', 'params_shard_1.bin'].map((dataPath) => ({
    dataPath,
    nbytes: SHARD_BYTES,
    format: 'raw-shard',
    records: [],
  })),
};

/** A hub behind the gate: what is asked of it, and what it answers. */
class Hub implements Gate {
  readonly asked: string[] = [];
  readonly files = new Map<string, () => Response>([
    ['mlc-chat-config.json', () => Response.json({ tokenizer_files: ['tokenizer.json', 'merges.txt'] })],
    ['tensor-cache.json', () => Response.json(WEIGHTS)],
    ['tokenizer.json', () => Response.json({ model: {} })],
    ['params_shard_0.bin', () => new Response(new Uint8Array(SHARD_BYTES))],
    ['params_shard_1.bin', () => new Response(new Uint8Array(SHARD_BYTES))],
    ['model.wasm', () => new Response(new Uint8Array(300))],
  ]);

  async fetch(url: string, request: { readonly signal?: AbortSignal }): Promise<Response> {
    request.signal?.throwIfAborted();
    this.asked.push(url);
    const file = this.files.get(new URL(url).pathname.split('/').at(-1) ?? '');
    if (file === undefined) throw new AppError('model-not-found', { details: { status: 404 } });
    return file();
  }
}

async function forgetAll(): Promise<void> {
  for (const name of ['webllm/model', 'webllm/config', 'webllm/wasm']) await caches.delete(name);
}

let engine: RealEngine;
let hub: Hub;
beforeEach(async () => {
  await forgetAll();
  engine = new RealEngine();
  hub = new Hub();
});
afterEach(async () => {
  engine.end();
  await forgetAll();
});

async function download(signal: AbortSignal = new AbortController().signal): Promise<readonly DownloadProgress[]> {
  const progress: DownloadProgress[] = [];
  let elapsed = 0;
  const store = createModelStore(hub, () => (elapsed += 1000));
  await store.download(GPU_MODEL, { signal, modelHost: MIRROR, record: RECORD, onProgress: (step) => void progress.push(step) });
  return progress;
}

describe('an MLC model', () => {
  test('is found by its package once it is downloaded, and gone once it is removed', async () => {
    const progress = await download();
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(true);
    expect(hub.asked.map((url) => url.replace(MIRROR, ''))).toEqual([
      'owner/model-MLC/resolve/main/mlc-chat-config.json',
      'owner/model-MLC/resolve/main/tensor-cache.json',
      'owner/model-MLC/resolve/main/tokenizer.json',
      LIBRARY,
      'owner/model-MLC/resolve/main/params_shard_0.bin',
      'owner/model-MLC/resolve/main/params_shard_1.bin',
    ]);
    const received = progress.map(({ receivedBytes }) => receivedBytes);
    expect(received).toEqual([...received].sort((a, b) => a - b));
    expect(progress.at(-1)?.receivedBytes).toBe(progress.at(-1)?.totalBytes);
    await engine.call('mlc-remove', CHOICE);
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(false);
    for (const name of ['webllm/model', 'webllm/config', 'webllm/wasm']) expect(await (await caches.open(name)).keys(), name).toEqual([]);
  });

  test('goes on with the file at which it was stopped', async () => {
    hub.files.set('params_shard_1.bin', () => {
      throw new AppError('server-unreachable', { retryable: true });
    });
    await expect(download()).rejects.toMatchObject({ code: 'server-unreachable' });
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(false);
    hub = new Hub();
    await download();
    expect(hub.asked).toEqual([`${MIRROR}owner/model-MLC/resolve/main/params_shard_1.bin`]);
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(true);
  });

  test.each<[string, string, () => Response, string]>([
    [
      'a start page',
      'params_shard_0.bin',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'model-file-invalid',
    ],
    ['a shard that is too short', 'params_shard_0.bin', () => new Response(new Uint8Array(10)), 'model-file-invalid'],
    ['a list without shards', 'tensor-cache.json', () => Response.json({ records: [] }), 'model-file-invalid'],
    ['a configuration without a tokenizer', 'mlc-chat-config.json', () => Response.json({}), 'model-file-invalid'],
  ])('%s is never kept', async (_what, name, answer, code) => {
    hub.files.set(name, answer);
    await expect(download()).rejects.toMatchObject({ code });
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(false);
    hub = new Hub();
    await download();
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(true);
  });

  test('stops when it is told to', async () => {
    const controller = new AbortController();
    hub.files.set('params_shard_0.bin', () => {
      controller.abort();
      return new Response(new Uint8Array(SHARD_BYTES));
    });
    await expect(download(controller.signal)).rejects.toThrow('abort');
    expect(hub.asked.at(-1)).toMatch(/params_shard_0/);
  });
});
