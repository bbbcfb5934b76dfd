import { AppError } from '../core/errors';
import type { Gate } from '../outbound/gate';
import { isList, isRecord, numberAt, parseJson, textAt } from '../outbound/json';
import type { MlcRecord } from './engine';
import { atHost } from './hub';
import { quotaOr, refuseWhereNoSpace } from './space';
import { piecesOf } from './pieces';
import type { DownloadOptions } from './store';

/** The package's caches, and what it keeps in each. */
const CACHES = { weights: 'webllm/model', config: 'webllm/config', library: 'webllm/wasm' } as const;
const SILENCE_MS = 60_000;
const LENGTH = 'content-length';

interface Wanted {
  readonly cache: (typeof CACHES)[keyof typeof CACHES];
  /** The address by which the package looks for it. */
  readonly url: string;
  /** Null where the list of weights does not say it. */
  readonly bytes: number | null;
  /** Throws where its content is not what it should be. */
  readonly check?: (content: Blob) => Promise<unknown>;
}

/**
 * Puts everything of an MLC model where its package looks for it, so that a load asks nobody. A file is kept once it is whole: what is there
 * already is not fetched again. Throws what the gate throws, `storage-quota`, `stream-cut`, `model-file-invalid`.
 */
export async function downloadMlc(record: MlcRecord, gate: Gate, options: DownloadOptions): Promise<number> {
  const keep = async (wanted: Wanted, onBytes: (bytes: number) => void = () => undefined): Promise<Response> =>
    (await stored(wanted)) ?? fetchInto(wanted, gate, options, onBytes);
  const at = (name: string): string => new URL(name, record.model).href;
  const read = async <T>(cache: Wanted['cache'], name: string, parse: (value: unknown) => T): Promise<T> => {
    const check = async (content: Blob): Promise<T> => parse(parseJson(await content.text()));
    return check(await (await keep({ cache, url: at(name), bytes: null, check })).blob());
  };
  const tokenizers = await read(CACHES.config, 'mlc-chat-config.json', tokenizerIn);
  const list = await read(CACHES.weights, 'tensor-cache.json', shardsIn);
  const shards = list.map(({ path, bytes }) => ({ cache: CACHES.weights, url: at(path), bytes }));
  const others = [
    ...tokenizers.map((name) => ({ cache: CACHES.weights, url: at(name), bytes: null })),
    { cache: CACHES.library, url: record.library, bytes: null },
  ];
  const missing = await Promise.all(shards.map(async (shard) => ((await stored(shard)) === undefined ? shard.bytes : 0)));
  await refuseWhereNoSpace(sumOf(missing));
  let receivedBytes = 0;
  for (const wanted of [...others, ...shards]) {
    const before = receivedBytes;
    const tell = (bytes: number): void => {
      const rest = sumOf(shards.map((shard) => shard.bytes));
      options.onProgress({ receivedBytes: before + bytes, totalBytes: Math.max(rest, before + bytes) });
    };
    const response = await keep(wanted, tell);
    receivedBytes = before + Number(response.headers.get(LENGTH));
    tell(receivedBytes - before);
  }
  return receivedBytes;
}

async function stored({ cache, url }: Wanted): Promise<Response | undefined> {
  return (await caches.open(cache)).match(url);
}

/** A file is small enough to be in hand as a whole, and only a whole one may be kept: the package takes what it finds for good. */
async function fetchInto(
  { cache, url, bytes, check }: Wanted,
  gate: Gate,
  { signal, modelHost }: DownloadOptions,
  onBytes: (bytes: number) => void,
): Promise<Response> {
  const response = await gate.fetch(atHost(url, modelHost), { purpose: 'model-download', signal, timeoutMs: SILENCE_MS });
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for await (const piece of piecesOf(response)) {
    pieces.push(piece);
    received += piece.byteLength;
    onBytes(received);
  }
  const type = response.headers.get('content-type') ?? '';
  const name = new URL(url).pathname.split('/').at(-1) ?? url;
  if (type.includes('text/html') || (bytes !== null && received !== bytes)) throw new AppError('model-file-invalid', { details: { name } });
  const content = new Blob(pieces);
  await check?.(content);
  const headers = { [LENGTH]: String(received), ...(type === '' ? {} : { 'content-type': type }) };
  const whole = (): Response => new Response(content, { headers });
  try {
    await (await caches.open(cache)).put(url, whole());
  } catch (error) {
    throw quotaOr(error);
  }
  return whole();
}

function shardsIn(list: unknown): readonly { readonly path: string; readonly bytes: number }[] {
  const records = isRecord(list) && isList(list['records']) ? list['records'].filter(isRecord) : [];
  const shards = records.map((record) => ({ path: textAt(record, 'dataPath') ?? '', bytes: numberAt(record, 'nbytes') ?? 0 }));
  if (shards.length === 0 || shards.some(({ path }) => path === ''))
    throw new AppError('model-file-invalid', { details: { name: 'tensor-cache.json' } });
  return shards;
}

/** The one of the two kinds that the package takes. */
function tokenizerIn(config: unknown): readonly string[] {
  const files = isRecord(config) && isList(config['tokenizer_files']) ? config['tokenizer_files'] : [];
  const name = ['tokenizer.json', 'tokenizer.model'].find((candidate) => files.includes(candidate));
  if (name === undefined) throw new AppError('model-file-invalid', { details: { name: 'mlc-chat-config.json' } });
  return [name];
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
