import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError, isAbort } from '../core/errors';
import type { ModelFile } from '../core/local-model';
import type { Gate } from '../outbound/gate';
import type { ModelFolder, OpenPart } from './model-folder';
import { piecesOf } from './pieces';
import { quotaOr } from './space';

/** A download that says nothing for so long is broken off; what arrived stays. */
const SILENCE_MS = 60_000;
// What a killed tab may lose of it.
const FLUSH_BYTES = 16 * 1024 ** 2;
const HASH_BYTES = 4 * 1024 ** 2;
const MAGIC = new TextEncoder().encode('GGUF');

export interface FileDownload {
  readonly gate: Gate;
  readonly folder: ModelFolder;
  readonly name: string;
  /** With the address at the user's mirror. */
  readonly file: ModelFile;
  readonly signal: AbortSignal;
  /** Bytes of this file that are there, and its size once that is known. */
  readonly onProgress: (bytes: number, size: number | null) => void;
}

/**
 * Fetches what is missing of a GGUF file and checks the whole. Throws what the gate throws, `storage-quota`, `stream-cut` (what arrived
 * stays) and `model-file-invalid` (nothing stays).
 */
export async function downloadFile(download: FileDownload): Promise<void> {
  const { folder, name, file, onProgress } = download;
  const whole = await folder.file(name);
  if (whole !== undefined) {
    onProgress(whole.size, whole.size);
    return;
  }
  const part = await folder.openPart(name);
  try {
    if (file.bytes === null || part.bytes !== file.bytes) await receive(download, part);
    await check(part, download);
  } finally {
    part.flush();
    part.close();
  }
  await folder.declareWhole(name);
}

async function receive(download: FileDownload, part: OpenPart): Promise<void> {
  const { file, onProgress } = download;
  const response = await open(download, part);
  const size = file.bytes ?? sizeIn(response, part.bytes);
  onProgress(part.bytes, size);
  let unflushed = 0;
  for await (const data of piecesOf(response)) {
    const before = part.bytes;
    part.append(data);
    if (before < MAGIC.length && part.bytes >= MAGIC.length) refuseUnless(hasMagic(part), part, download);
    unflushed += data.byteLength;
    if (unflushed >= FLUSH_BYTES) {
      part.flush();
      unflushed = 0;
    }
    onProgress(part.bytes, size);
  }
  if (size !== null && part.bytes < size) throw new AppError('stream-cut', { retryable: true });
  refuseUnless(size === null || part.bytes === size, part, download);
}

/** Asks for the rest. A server that does not know ranges sends all, and one that has less than we have begins anew. */
async function open({ gate, file, signal }: FileDownload, part: OpenPart): Promise<Response> {
  const ask = async (from: number): Promise<Response> =>
    gate.fetch(file.url, {
      purpose: 'model-download',
      signal,
      timeoutMs: SILENCE_MS,
      ...(from === 0 ? {} : { headers: { range: `bytes=${from}-` } }),
    });
  let response: Response;
  try {
    response = await ask(part.bytes);
  } catch (error) {
    if (part.bytes === 0 || !(error instanceof AppError) || error.details['status'] !== 416) throw error;
    part.truncate(0);
    response = await ask(0);
  }
  if (response.status !== 206) part.truncate(0);
  return response;
}

function sizeIn(response: Response, from: number): number | null {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  if (total !== undefined) return Number(total);
  const length = response.headers.get('content-length');
  // What is packed on its way is longer than it says.
  return length === null || response.headers.has('content-encoding') ? null : from + Number(length);
}

async function check(part: OpenPart, download: FileDownload): Promise<void> {
  refuseUnless(hasMagic(part), part, download);
  if (download.file.sha256 === null) return;
  const hash = sha256.create();
  const buffer = new Uint8Array(HASH_BYTES);
  for (let at = 0; at < part.bytes;) {
    const read = part.read(buffer, at);
    hash.update(buffer.subarray(0, read));
    at += read;
    // Hundreds of megabytes take seconds: the worker has answers to write meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 0));
    download.signal.throwIfAborted();
  }
  refuseUnless(bytesToHex(hash.digest()) === download.file.sha256.toLowerCase(), part, download);
}

function hasMagic(part: OpenPart): boolean {
  const start = new Uint8Array(MAGIC.length);
  part.read(start, 0);
  return start.every((byte, index) => byte === MAGIC[index]);
}

function refuseUnless(isRight: boolean, part: OpenPart, { file }: FileDownload): void {
  if (isRight) return;
  part.truncate(0);
  throw new AppError('model-file-invalid', { details: { name: decodeURIComponent(file.url.split('/').at(-1) ?? file.url) } });
}

/** Copies a file of the user's into the folder. Throws `model-file-invalid`, `storage-quota`; nothing stays then. */
export async function takeInFile(folder: ModelFolder, name: string, file: Blob, shownName: string, signal: AbortSignal): Promise<void> {
  const part = await folder.openPart(name);
  try {
    part.truncate(0);
    for await (const data of piecesOf(new Response(file))) {
      signal.throwIfAborted();
      part.append(data);
    }
    if (!hasMagic(part)) throw new AppError('model-file-invalid', { details: { name: shownName } });
    part.flush();
  } catch (error) {
    part.close();
    await folder.remove();
    throw isAbort(error) ? error : quotaOr(error);
  }
  part.close();
  await folder.declareWhole(name);
}
