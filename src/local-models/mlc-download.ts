import type { Gate } from '../outbound/gate';
import { isList, isRecord, numberAt, parseJson, textAt } from '../outbound/json';
import { checkedBody } from './checked-body';
import { md5Of, sha256Of, type Digest } from './digest';
import type { MlcRecord } from './engine';
import { atHost, describeFiles } from './hub';
import { fileNameOf, invalidFile, requestModelFile } from './model-request';
import { totalOf } from './progress';
import { refuseWhereNoSpace } from './space';
import type { DownloadOptions } from './store';

/** The package's caches, and what it keeps in each. */
const CACHES = { weights: 'webllm/model', config: 'webllm/config', library: 'webllm/wasm' } as const;
const CONFIG = 'mlc-chat-config.json';
const WEIGHTS = 'tensor-cache.json';
const LENGTH = 'content-length';

interface Wanted {
  readonly cache: (typeof CACHES)[keyof typeof CACHES];
  /** The address by which the package looks for it. */
  readonly url: string;
  /** Null where nobody said it. */
  readonly bytes: number | null;
  readonly digest: Digest | null;
}

interface Shard {
  readonly path: string;
  readonly bytes: number;
  readonly digest: Digest | null;
}

/**
 * Puts everything of an MLC model where its package looks for it, so that a load asks nobody. A file is kept once it is whole: what is there
 * already is not fetched again. Throws what the gate throws, `model-not-found`, `storage-quota`, `model-file-invalid`.
 */
export async function downloadMlc(record: MlcRecord, gate: Gate, options: DownloadOptions): Promise<number> {
  const fetching = { gate, ...options };
  const at = (name: string): string => new URL(name, record.model).href;
  const isBeside = (name: string): boolean => at(name).startsWith(record.model);
  const tokenizers = await readJson({ cache: CACHES.config, url: at(CONFIG) }, tokenizersIn, fetching);
  const shards = await readJson({ cache: CACHES.weights, url: at(WEIGHTS) }, (list) => shardsIn(list, isBeside), fetching);
  const files = await told(
    [
      { cache: CACHES.config, url: at(CONFIG), bytes: null, digest: null },
      { cache: CACHES.weights, url: at(WEIGHTS), bytes: null, digest: null },
      ...tokenizers.map((name) => ({ cache: CACHES.weights, url: at(name), bytes: null, digest: null })),
      { cache: CACHES.library, url: record.library, bytes: null, digest: null },
      ...shards.map(({ path, bytes, digest }) => ({ cache: CACHES.weights, url: at(path), bytes, digest })),
    ],
    fetching,
  );
  const there = await Promise.all(files.map(storedBytes));
  await refuseWhereNoSpace(files.reduce((sum, { bytes }, index) => sum + (there[index] === undefined ? (bytes ?? 0) : 0), 0));
  const progress = files.map(({ bytes }, index) => ({ bytes: there[index] ?? 0, size: there[index] ?? bytes }));
  const tell = (): void => {
    // The library's size is told by nobody. It is little beside the weights, so that their sum is a total from the start.
    options.onProgress({ receivedBytes: sumOf(progress), totalBytes: totalOf(progress.map(({ bytes, size }) => size ?? bytes)) });
  };
  for (const [index, wanted] of files.entries()) {
    if (there[index] !== undefined) continue;
    const received = await fetchInto(wanted, fetching, (bytes) => {
      progress[index] = { bytes, size: wanted.bytes };
      tell();
    });
    progress[index] = { bytes: received, size: received };
  }
  tell();
  return sumOf(progress);
}

type Fetching = DownloadOptions & { readonly gate: Gate };

/** With what the hub says of the files: it knows their hashes, and the sizes of those that are not in the list of weights. */
async function told(files: readonly Wanted[], fetching: Fetching): Promise<readonly Wanted[]> {
  const described = await describeFiles(
    files.map(({ url, bytes }) => ({ url, bytes, sha256: null })),
    fetching,
  );
  return files.map((file, index) => {
    const { bytes = file.bytes, sha256 = null } = described[index] ?? {};
    return { ...file, bytes, digest: sha256Of(sha256) ?? file.digest };
  });
}

/** A small file that says what else there is. One that can't be read is not kept: the package would take it for good. */
async function readJson<T>(place: Pick<Wanted, 'cache' | 'url'>, parse: (value: unknown) => T | undefined, fetching: Fetching): Promise<T> {
  const cache = await caches.open(place.cache);
  const known = parse(parseJson((await (await cache.match(place.url))?.text()) ?? ''));
  if (known !== undefined) return known;
  await cache.delete(place.url);
  await fetchInto({ ...place, bytes: null, digest: null }, fetching, () => undefined);
  const fresh = parse(parseJson((await (await cache.match(place.url))?.text()) ?? ''));
  if (fresh !== undefined) return fresh;
  await cache.delete(place.url);
  throw invalidFile(fileNameOf(place.url), 'content');
}

/** Bytes of a file that is there, whole; undefined where it is not. */
async function storedBytes({ cache, url, bytes }: Wanted): Promise<number | undefined> {
  const found = await (await caches.open(cache)).match(url);
  if (found === undefined) return undefined;
  const length = Number(found.headers.get(LENGTH) ?? bytes ?? 0);
  return bytes === null || bytes === length ? length : undefined;
}

/** Streams a file into its cache, which takes all of it or, where the stream fails at its end, nothing. Resolves with its bytes. */
async function fetchInto(wanted: Wanted, { gate, signal, modelHost }: Fetching, onBytes: (bytes: number) => void): Promise<number> {
  const { url, bytes } = wanted;
  const response = await requestModelFile(atHost(url, modelHost), gate, signal, 0);
  const arriving = checkedBody(response.body, { ...wanted, name: fileNameOf(url), onBytes });
  const type = response.headers.get('content-type');
  // The length is noted as it is known before the end: what is stored is never opened only to be counted.
  const body = bytes === null ? await new Response(arriving.body).blob().catch(arriving.fail) : arriving.body;
  const size = body instanceof Blob ? body.size : (bytes ?? 0);
  const headers = { [LENGTH]: String(size), ...(type === null ? {} : { 'content-type': type }) };
  try {
    await (await caches.open(wanted.cache)).put(url, new Response(body, { headers }));
  } catch (error) {
    arriving.fail(error);
  }
  return size;
}

/** Only what lies beside the list: it is by their folder that the files of a model are removed. */
function shardsIn(list: unknown, isBeside: (path: string) => boolean): readonly Shard[] | undefined {
  const records = isRecord(list) && isList(list['records']) ? list['records'].filter(isRecord) : [];
  const shards = records.map((record) => ({
    path: textAt(record, 'dataPath') ?? '',
    bytes: numberAt(record, 'nbytes') ?? -1,
    digest: md5Of(textAt(record, 'md5sum')),
  }));
  const isRight = ({ path, bytes }: Shard): boolean => path !== '' && isBeside(path) && bytes >= 0;
  return shards.length > 0 && shards.every(isRight) ? shards : undefined;
}

/** The one of the two kinds that the package takes. */
function tokenizersIn(config: unknown): readonly string[] | undefined {
  const files = isRecord(config) && isList(config['tokenizer_files']) ? config['tokenizer_files'] : [];
  const name = ['tokenizer.json', 'tokenizer.model'].find((candidate) => files.includes(candidate));
  return name === undefined ? undefined : [name];
}

function sumOf(progress: readonly { readonly bytes: number }[]): number {
  return progress.reduce((sum, { bytes }) => sum + bytes, 0);
}
