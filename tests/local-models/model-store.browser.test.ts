import type {} from '@vitest/browser-playwright';
import { cdp } from 'vitest/browser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalModel } from '../../src/core/local-model';
import { CATALOGUE, customModel } from '../../src/local-models/catalogue';
import { ggufBytes, sha256, type FileBehaviour } from '../support/fake-hub';
import { cpuModel } from '../support/local-host';
import { HUB_URL, StoreLine } from './store-line';

const SIZE = 1_000_000;
const PLACE = 'owner/model-GGUF/resolve/main/';
const PATH = `${PLACE}model.gguf`;

function modelOf(...paths: readonly string[]): LocalModel {
  return {
    ...cpuModel('stored'),
    source: { type: 'gguf', files: paths.map((path) => ({ url: `https://huggingface.co/${path}`, bytes: null, sha256: null })) },
  };
}

const MODEL = modelOf(PATH);
let line: StoreLine;

async function put(behaviour: FileBehaviour = {}, seed = 1): Promise<void> {
  await line.call('put', { path: PATH, size: SIZE, seed, behaviour });
}

/** A download that has broken off after `bytes`. */
async function begun(bytes: number): Promise<void> {
  await put({ cutAfter: bytes });
  await expect(line.download(MODEL)).rejects.toMatchObject({ code: 'stream-cut', retryable: true });
  expect(await line.call('stored-bytes', { model: MODEL })).toBe(bytes);
  await line.call('requests', {});
}

async function expectWhole(model: LocalModel = MODEL, ...seeds: readonly number[]): Promise<void> {
  const hashes = await Promise.all((seeds.length === 0 ? [1] : seeds).map(async (seed) => sha256(ggufBytes(SIZE, seed))));
  expect(await line.call('open', { model })).toEqual(hashes);
}

async function expectNothing(): Promise<void> {
  expect(await line.call('stored-bytes', { model: MODEL })).toBe(0);
  await expect(line.call('open', { model: MODEL })).rejects.toMatchObject({ code: 'model-not-downloaded' });
}

async function forgetAll(): Promise<void> {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry('local-models', { recursive: true }).catch(() => undefined);
}

beforeEach(async () => {
  await forgetAll();
  line = new StoreLine();
});
afterEach(async () => {
  await line.call('remove', { model: MODEL });
  line.end();
});

describe('a download', () => {
  test('ends with a whole file, whose progress only grows and whose size is known from the start', async () => {
    await put();
    expect(await line.download(MODEL)).toBe(SIZE);
    await expectWhole();
    const received = line.progress.map(({ receivedBytes }) => receivedBytes);
    expect(received).toEqual([...received].sort((a, b) => a - b));
    expect(new Set(line.progress.map(({ totalBytes }) => totalBytes))).toEqual(new Set([SIZE]));
    expect(received.at(-1)).toBe(SIZE);
    expect(await line.call('requests', {})).toEqual({ requests: [`${PATH} 0-`], sentBytes: SIZE });
  });

  test('that is whole is not fetched again', async () => {
    await put();
    await line.download(MODEL);
    await line.call('requests', {});
    expect(await line.download(MODEL)).toBe(SIZE);
    expect(await line.call('requests', {})).toEqual({ requests: [], sentBytes: 0 });
  });

  test('that broke off goes on with the rest only', async () => {
    await begun(300_000);
    await put();
    expect(await line.download(MODEL)).toBe(SIZE);
    expect(await line.call('requests', {})).toEqual({ requests: [`${PATH} 300000-`], sentBytes: SIZE - 300_000 });
    await expectWhole();
  });

  test('goes on where the host does not let us see the range', async () => {
    await begun(300_000);
    await put({ hidesRange: true });
    await line.download(MODEL);
    expect(await line.call('requests', {})).toMatchObject({ sentBytes: SIZE - 300_000 });
    await expectWhole();
  });

  test('is paused and goes on, as often as one likes', async () => {
    await put();
    for (const pauseAt of [200_000, 500_000, 800_000]) {
      await expect(line.download(MODEL, pauseAt)).rejects.toMatchObject({ name: 'AbortError' });
      expect(await line.call('stored-bytes', { model: MODEL })).toBeGreaterThanOrEqual(pauseAt);
    }
    expect(await line.download(MODEL)).toBe(SIZE);
    expect(await line.call('requests', {})).toMatchObject({ sentBytes: SIZE });
    await expectWhole();
  });

  test('whose worker was killed goes on in the next one', async () => {
    await put({ hangAfter: 400_000 });
    const arrived = new Promise<void>((resolve) => {
      line.onProgress = ({ receivedBytes }) => {
        if (receivedBytes === 400_000) resolve();
      };
    });
    const dying = line.download(MODEL);
    await arrived;
    await expect.poll(async () => line.call('stored-bytes', { model: MODEL })).toBe(400_000);
    line.end();
    await expect(dying).rejects.toMatchObject({ code: 'worker-died' });
    line = new StoreLine();
    await put();
    expect(await line.download(MODEL)).toBe(SIZE);
    expect(await line.call('requests', {})).toEqual({ requests: [`${PATH} 400000-`], sentBytes: SIZE - 400_000 });
    await expectWhole();
  });

  test('that was ended with its last byte is only checked', async () => {
    await put();
    await expect(line.download(MODEL, SIZE)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(line.call('open', { model: MODEL })).rejects.toMatchObject({ code: 'model-not-downloaded' });
    await line.call('requests', {});
    expect(await line.download(MODEL)).toBe(SIZE);
    expect(await line.call('requests', {})).toEqual({ requests: [], sentBytes: 0 });
    await expectWhole();
  });

  test('begins anew at a server that knows no ranges', async () => {
    await begun(300_000);
    await put({ noRanges: true });
    await line.download(MODEL);
    expect(await line.call('requests', {})).toMatchObject({ sentBytes: SIZE });
    await expectWhole();
  });

  test('begins anew where more is here than the server has', async () => {
    await line.call('settings', { hasLists: false });
    await begun(300_000);
    await line.call('put', { path: PATH, size: 200_000, seed: 5 });
    await line.download(MODEL);
    expect(await line.call('requests', {})).toMatchObject({ requests: [`${PATH} 300000-`, `${PATH} 0-`], sentBytes: 200_000 });
    expect(await line.call('open', { model: MODEL })).toEqual([await sha256(ggufBytes(200_000, 5))]);
  });

  test('begins anew where the file is another by now, and nobody tells a hash', async () => {
    await line.call('settings', { hasLists: false });
    await put({ cutAfter: 300_000, version: '"one"' });
    await expect(line.download(MODEL)).rejects.toMatchObject({ code: 'stream-cut' });
    await put({ version: '"two"' }, 2);
    await line.download(MODEL);
    await expectWhole(MODEL, 2);
  });

  test('goes on where the file is the same still', async () => {
    await line.call('settings', { hasLists: false });
    await put({ cutAfter: 300_000, version: '"one"' });
    await expect(line.download(MODEL)).rejects.toMatchObject({ code: 'stream-cut' });
    await put({ version: '"one"' });
    await line.call('requests', {});
    await line.download(MODEL);
    expect(await line.call('requests', {})).toMatchObject({ sentBytes: SIZE - 300_000 });
    await expectWhole();
  });

  test('of two files gets both, and goes on in the one that broke off', async () => {
    const [first, second] = [`${PLACE}m-00001-of-00002.gguf`, `${PLACE}m-00002-of-00002.gguf`];
    const model = { ...customModel(`https://huggingface.co/${first}`), id: MODEL.id };
    await line.call('put', { path: first, size: SIZE, seed: 1 });
    await line.call('put', { path: second, size: SIZE, seed: 2, behaviour: { cutAfter: 100_000 } });
    await expect(line.download(model)).rejects.toMatchObject({ code: 'stream-cut' });
    await expect(line.call('open', { model })).rejects.toMatchObject({ code: 'model-not-downloaded' });
    await line.call('behave', { path: second, behaviour: {} });
    await line.call('requests', {});
    expect(await line.download(model)).toBe(2 * SIZE);
    expect(await line.call('requests', {})).toEqual({ requests: [`${second} 100000-`], sentBytes: SIZE - 100_000 });
    expect(line.progress.at(-1)).toEqual({ receivedBytes: 2 * SIZE, totalBytes: 2 * SIZE });
    await expectWhole(model, 1, 2);
  });

  test('finds the size of a file in a folder of the hub, too', async () => {
    const path = `${PLACE}some folder/model.gguf`;
    await line.call('put', { path, size: SIZE });
    await line.download(modelOf(encodeURI(path)));
    expect(line.progress[0]).toEqual({ receivedBytes: 0, totalBytes: SIZE });
  });

  test('is refused by the offline lock, and nothing is asked', async () => {
    await put();
    await line.call('settings', { locked: true });
    await expect(line.download(MODEL)).rejects.toMatchObject({ code: 'offline-lock' });
    expect(await line.call('requests', {})).toEqual({ requests: [], sentBytes: 0 });
  });
});

describe('a file that is not what it should be', () => {
  test.each<[string, FileBehaviour, string]>([
    ['is not there', { status: 404 }, 'model-not-found'],
    ['is closed to us', { status: 401 }, 'model-not-found'],
    ['is a start page', { isPage: true }, 'model-file-invalid'],
    ['has another hash', { listed: { sha256: '0'.repeat(64) } }, 'model-file-invalid'],
    ['is longer than the list says', { listed: { bytes: SIZE - 10 } }, 'model-file-invalid'],
    ['is shorter than the list says, and says so', { listed: { bytes: SIZE + 10 } }, 'model-file-invalid'],
    ['is shorter than the list says, and only ends', { listed: { bytes: SIZE + 10 }, noRanges: true }, 'model-file-invalid'],
    ['comes from another place', { otherRange: true }, 'model-file-invalid'],
  ])('%s: nothing of it stays, and the next try works', async (_what, behaviour, code) => {
    await put(behaviour);
    await expect(line.download(MODEL)).rejects.toMatchObject({ code, details: expect.objectContaining(naming(code)) });
    await expectNothing();
    await put();
    await line.download(MODEL);
    await expectWhole();
  });

  test('is no model at all: it is given up with its first piece', async () => {
    await line.call('put', { path: PATH, size: SIZE, start: 'RIFF' });
    await expect(line.download(MODEL)).rejects.toMatchObject({ code: 'model-file-invalid' });
    expect((await line.call('requests', {})).sentBytes).toBeLessThan(200_000);
    await expectNothing();
  });

  test('a hash that is pinned counts more than the hub’s', async () => {
    await put();
    const pinned = { url: `https://huggingface.co/${PATH}`, bytes: SIZE, sha256: 'a'.repeat(64) };
    const model: LocalModel = { ...MODEL, source: { type: 'gguf', files: [pinned] } };
    await expect(line.download(model)).rejects.toMatchObject({ code: 'model-file-invalid' });
  });

  test('what began well and is wrong in the end goes as a whole', async () => {
    await begun(300_000);
    await put({ listed: { sha256: await sha256(ggufBytes(SIZE, 1)) } }, 2);
    await expect(line.download(MODEL)).rejects.toMatchObject({ code: 'model-file-invalid' });
    await expectNothing();
  });
});

describe('where space is short', () => {
  const session = cdp();
  const setQuota = async (quotaSize?: number): Promise<void> => {
    await session.send('Storage.overrideQuotaForOrigin', { origin: location.origin, ...(quotaSize === undefined ? {} : { quotaSize }) });
  };
  afterEach(async () => setQuota());

  test('nothing is begun that can’t fit with some room to spare', async () => {
    await put();
    const free = SIZE + 64 * 1024 ** 2 - 1;
    await line.call('settings', { estimate: { quota: free + 100, usage: 100 } });
    const refused = { code: 'storage-quota', details: { needBytes: SIZE, haveBytes: free } };
    await expect(line.download(MODEL)).rejects.toMatchObject(refused);
    const own: LocalModel = { ...MODEL, source: { type: 'file', name: 'Mine.gguf' } };
    await expect(line.call('take-in', { model: own, file: new Blob([ggufBytes(SIZE)]), isAborted: false })).rejects.toMatchObject(refused);
    expect(await line.call('requests', {})).toEqual({ requests: [], sentBytes: 0 });
    await line.call('settings', { estimate: { quota: free + 101, usage: 100 } });
    await line.download(MODEL);
    await expectWhole();
  });

  test('what is there already needs none', async () => {
    await begun(600_000);
    await put();
    await line.call('settings', { estimate: { quota: 400_000 + 64 * 1024 ** 2, usage: 0 } });
    await line.download(MODEL);
    await expectWhole();
  });

  test('a disk that fills up in the middle keeps what arrived, and the rest comes once there is space', async () => {
    const size = 4 * SIZE;
    await line.call('put', { path: PATH, size });
    const { usage = 0 } = await navigator.storage.estimate();
    await line.call('settings', { estimate: { quota: 1e12, usage: 0 } });
    await setQuota(usage + 2.5 * SIZE);
    await expect(line.download(MODEL)).rejects.toMatchObject({ code: 'storage-quota' });
    const there = (await line.call('stored-bytes', { model: MODEL })) ?? 0;
    expect(there).toBeGreaterThan(SIZE);
    expect(there).toBeLessThan(size);
    await setQuota();
    await line.call('requests', {});
    await line.download(MODEL);
    expect(await line.call('requests', {})).toMatchObject({ sentBytes: size - there });
    expect(await line.call('open', { model: MODEL })).toEqual([await sha256(ggufBytes(size))]);
  });

  test('a file of the user’s that does not fit leaves nothing', async () => {
    const { usage = 0 } = await navigator.storage.estimate();
    await line.call('settings', { estimate: { quota: 1e12, usage: 0 } });
    await setQuota(usage + 500_000);
    const own: LocalModel = { ...MODEL, source: { type: 'file', name: 'Mine.gguf' } };
    const taking = line.call('take-in', { model: own, file: new Blob([ggufBytes(SIZE)]), isAborted: false });
    await expect(taking).rejects.toMatchObject({ code: 'storage-quota' });
    await expectNothing();
  });
});

describe('a file of the user’s own', () => {
  const OWN: LocalModel = { ...cpuModel('stored'), source: { type: 'file', name: 'Mine.gguf' } };
  const takeIn = async (file: Blob, isAborted = false) => line.call('take-in', { model: OWN, file, isAborted });

  test('is taken in, and its second version in place of the first', async () => {
    expect(await takeIn(new Blob([ggufBytes(SIZE)]))).toBe(SIZE);
    await expectWhole(OWN);
    expect(await takeIn(new Blob([ggufBytes(SIZE, 2)]))).toBe(SIZE);
    await expectWhole(OWN, 2);
  });

  test('that is no model is refused', async () => {
    await expect(takeIn(new Blob(['a picture']))).rejects.toMatchObject({ code: 'model-file-invalid', details: { name: OWN.name } });
    await expectNothing();
  });

  test('leaves nothing when taking it in is given up', async () => {
    await expect(takeIn(new Blob([ggufBytes(SIZE)]), true)).rejects.toMatchObject({ name: 'AbortError' });
    await expectNothing();
  });

  test('can not be fetched', async () => {
    await expect(line.download(OWN)).rejects.toMatchObject({ code: 'model-not-downloaded' });
  });
});

test('what is removed is gone, and removing it again is no failure', async () => {
  await put();
  await line.download(MODEL);
  await line.call('remove', { model: MODEL });
  await expectNothing();
  await line.call('remove', { model: MODEL });
});

test('every address of the catalogue is led to the user’s mirror', async () => {
  for (const { source } of CATALOGUE.filter(({ engine }) => engine === 'wllama')) {
    if (source.type !== 'gguf') continue;
    const [file] = source.files;
    await line.call('put', { path: file?.url.replace('https://huggingface.co/', '') ?? '', size: 100 });
    expect(await line.download({ ...MODEL, source })).toBe(100);
    await line.call('remove', { model: MODEL });
  }
  expect(HUB_URL).toMatch(/\/$/);
});

function naming(code: string): Record<string, unknown> {
  return code === 'model-not-found' ? { modelId: 'model.gguf', host: 'hub.example' } : { name: 'model.gguf' };
}
