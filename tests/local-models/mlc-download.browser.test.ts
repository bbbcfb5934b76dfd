import type {} from '@vitest/browser-playwright';
import { deleteModelAllInfoInCache, hasModelInCache, prebuiltAppConfig } from '@mlc-ai/web-llm';
import { cdp } from 'vitest/browser';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createModelStore } from '../../src/local-models/model-store';
import type { DownloadProgress } from '../../src/local-models/store';
import { appConfig } from '../../src/local-models/web-llm-records';
import { createTestGate } from '../outbound/test-gate';
import { RealEngine } from '../support/engine-line';
import { FakeHub, ggufBytes, type FileBehaviour } from '../support/fake-hub';
import { GPU_MODEL } from '../support/local-host';

/** A record of the package's own list: what lies behind its addresses is the test's. */
const RECORD_ID = 'SmolLM2-360M-Instruct-q4f32_1-MLC';
const REPOSITORY = `mlc-ai/${RECORD_ID}/resolve/main/`;
const FOLDER = `https://huggingface.co/${REPOSITORY}`;
const LIBRARY = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === RECORD_ID)?.model_lib ?? '';
const CHOICE = { recordId: RECORD_ID };
const RECORD = { model: FOLDER, library: LIBRARY };
const MIRROR = 'https://mirror.example/';
const CACHES = ['webllm/model', 'webllm/config', 'webllm/wasm'];
const SHARD_BYTES = 200_000;
const LIBRARY_BYTES = 300_000;
const TOKENIZER_BYTES = 12;
const SHARDS = ['params_shard_0.bin', 'params_shard_1.bin'];

let hub: FakeHub;
let engine: RealEngine;
let progress: DownloadProgress[];

function putJson(name: string, value: unknown, behaviour: FileBehaviour = {}): void {
  hub.put(REPOSITORY + name, new TextEncoder().encode(JSON.stringify(value)), behaviour);
}

function putWeights(change: Record<string, unknown> = {}): void {
  putJson('tensor-cache.json', {
    records: SHARDS.map((dataPath) => ({ dataPath, nbytes: SHARD_BYTES, format: 'raw-shard', records: [], ...change })),
  });
}

/** The hub as it should be. */
function putAll(): void {
  putJson('mlc-chat-config.json', { tokenizer_files: ['tokenizer.json', 'merges.txt'] });
  putJson('tokenizer.json', { model: {} });
  putWeights();
  for (const [index, name] of SHARDS.entries()) hub.put(REPOSITORY + name, ggufBytes(SHARD_BYTES, index + 1));
  hub.put(LIBRARY, ggufBytes(LIBRARY_BYTES));
}

async function download(signal: AbortSignal = new AbortController().signal, onProgress = (_: DownloadProgress): void => undefined) {
  progress = [];
  let elapsed = 0;
  const { gate } = createTestGate({ fetch: hub.fetch });
  return createModelStore(gate, () => (elapsed += 1000)).download(GPU_MODEL, {
    signal,
    modelHost: MIRROR,
    record: RECORD,
    onProgress: (step) => {
      progress.push(step);
      onProgress(step);
    },
  });
}

/** Names of everything in the package's caches. */
async function stored(): Promise<readonly string[]> {
  const keys = await Promise.all(CACHES.map(async (name) => (await caches.open(name)).keys()));
  return keys
    .flat()
    .map(({ url }) => url.split('/').at(-1) ?? '')
    .sort();
}

async function forgetAll(): Promise<void> {
  for (const name of CACHES) await caches.delete(name);
}

beforeEach(async () => {
  await forgetAll();
  engine = new RealEngine();
  hub = new FakeHub(MIRROR);
  putAll();
});
afterEach(async () => {
  engine.end();
  vi.restoreAllMocks();
  await forgetAll();
});

describe('an MLC model', () => {
  test('is found by its package once it is downloaded, and gone once it is removed', async () => {
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(false);
    const bytes = await download();
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(true);
    expect(await hasModelInCache(RECORD_ID, await appConfig())).toBe(true);
    expect(hub.requests.map((request) => request.replace(/ 0-$/, ''))).toEqual([
      `${REPOSITORY}mlc-chat-config.json`,
      `${REPOSITORY}tensor-cache.json`,
      `${REPOSITORY}tokenizer.json`,
      LIBRARY,
      ...SHARDS.map((name) => REPOSITORY + name),
    ]);
    expect(bytes).toBe(hub.sentBytes);
    await engine.call('mlc-remove', CHOICE);
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(false);
    expect(await stored()).toEqual([]);
  });

  test('is taken out by the package’s own hand but for its list, which our own removal finds', async () => {
    await download();
    await deleteModelAllInfoInCache(RECORD_ID, await appConfig());
    expect(await stored()).toEqual(['tensor-cache.json']);
    await engine.call('mlc-remove', CHOICE);
    expect(await stored()).toEqual([]);
  });

  test('tells its progress inside a shard, only growing, up to a total that is reached', async () => {
    const bytes = await download();
    const received = progress.map(({ receivedBytes }) => receivedBytes);
    expect(received).toEqual([...received].sort((a, b) => a - b));
    expect(new Set(received).size).toBeGreaterThan(2 * Math.floor(SHARD_BYTES / 65_536));
    expect(progress.at(-1)).toEqual({ receivedBytes: bytes, totalBytes: bytes });
    // Only the library's size comes as a surprise.
    for (const { totalBytes } of progress) expect(totalBytes).toBeGreaterThanOrEqual(bytes - LIBRARY_BYTES);
  });

  test('that is whole is not fetched again', async () => {
    const bytes = await download();
    hub.forgetRequests();
    expect(await download()).toBe(bytes);
    expect(hub.requests).toEqual([]);
  });

  test.each<[string, FileBehaviour, Record<string, unknown>]>([
    ['cut', { cutAfter: 100_000 }, { code: 'stream-cut' }],
    ['missing', { status: 404 }, { code: 'model-not-found', details: { modelId: 'params_shard_1.bin' } }],
    ['a start page', { isPage: true }, { code: 'model-file-invalid', details: { name: 'params_shard_1.bin' } }],
    ['too short', { endAfter: 100_000 }, { code: 'model-file-invalid', details: { name: 'params_shard_1.bin' } }],
    ['another than the list says', { listed: { sha256: '0'.repeat(64) } }, { code: 'model-file-invalid' }],
  ])('whose last shard is %s keeps the others, and only that one is fetched again', async (_what, behaviour, error) => {
    hub.behave(REPOSITORY + 'params_shard_1.bin', behaviour);
    await expect(download()).rejects.toMatchObject(error);
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(false);
    expect(await stored()).not.toContain('params_shard_1.bin');
    putAll();
    hub.forgetRequests();
    await download();
    expect(hub.requests).toEqual([`${REPOSITORY}params_shard_1.bin 0-`]);
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(true);
  });

  test('is checked by the sums in its own list where the hub tells none', async () => {
    hub.hasLists = false;
    putWeights({ md5sum: '0'.repeat(32) });
    await expect(download()).rejects.toMatchObject({ code: 'model-file-invalid', details: { name: 'params_shard_0.bin', reason: 'sum' } });
    expect(await stored()).not.toContain('params_shard_0.bin');
  });

  test.each<[string, () => void, string]>([
    ['a list without shards', () => putJson('tensor-cache.json', { records: [] }), 'tensor-cache.json'],
    ['a list that is none', () => hub.put(`${REPOSITORY}tensor-cache.json`, ggufBytes(100)), 'tensor-cache.json'],
    ['a list that names what lies elsewhere', () => putWeights({ dataPath: '../../../other/model/x.bin' }), 'tensor-cache.json'],
    ['a configuration without a tokenizer', () => putJson('mlc-chat-config.json', {}), 'mlc-chat-config.json'],
    [
      'a configuration that is a start page',
      () => hub.behave(`${REPOSITORY}mlc-chat-config.json`, { isPage: true }),
      'mlc-chat-config.json',
    ],
  ])('%s is never kept', async (_what, spoil, name) => {
    spoil();
    await expect(download()).rejects.toMatchObject({ code: 'model-file-invalid', details: { name } });
    putAll();
    await download();
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(true);
  });

  test('stops in the middle of a shard when it is told to, and keeps none of it', async () => {
    const controller = new AbortController();
    const isInLastShard = ({ receivedBytes }: DownloadProgress): boolean => receivedBytes > LIBRARY_BYTES + 1.5 * SHARD_BYTES;
    const stopping = download(controller.signal, (step) => {
      if (isInLastShard(step)) controller.abort();
    });
    await expect(stopping).rejects.toMatchObject({ name: 'AbortError' });
    expect(await stored()).toContain('params_shard_0.bin');
    expect(await stored()).not.toContain('params_shard_1.bin');
  });

  test('is not begun where it can’t fit', async () => {
    vi.spyOn(navigator.storage, 'estimate').mockResolvedValue({ quota: 64 * 1024 ** 2, usage: 0 });
    await expect(download()).rejects.toMatchObject({ code: 'storage-quota', details: { needBytes: 2 * SHARD_BYTES + TOKENIZER_BYTES } });
    expect(await stored()).toEqual(['mlc-chat-config.json', 'tensor-cache.json']);
    vi.restoreAllMocks();
    await download();
  });

  test('that fills the disk says so, and goes on once there is space', async () => {
    const session = cdp();
    const { usage = 0 } = await navigator.storage.estimate();
    await session.send('Storage.overrideQuotaForOrigin', { origin: location.origin, quotaSize: usage + LIBRARY_BYTES });
    await expect(download()).rejects.toMatchObject({ code: 'storage-quota' });
    await session.send('Storage.overrideQuotaForOrigin', { origin: location.origin });
    await download();
    expect(await engine.call('mlc-is-stored', CHOICE)).toBe(true);
  });
});
