import { AppError, isAbort } from '../core/errors';
import type { ModelFile } from '../core/local-model';
import type { Gate } from '../outbound/gate';
import { sha256Of, startDigest, type RunningDigest } from './digest';
import type { ModelFolder, OpenPart } from './model-folder';
import { fileNameOf, invalidFile, requestModelFile } from './model-request';
import { piecesOf } from './pieces';
import { quotaOr } from './space';

// What a killed tab may lose of it.
const FLUSH_BYTES = 16 * 1024 ** 2;
/** What is read at once of a file that is here: some milliseconds of work. */
const READ_BYTES = 2 * 1024 ** 2;
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

/** A file on its way: what is there of it, and the sum over that. */
interface Arriving {
  readonly part: OpenPart;
  digest: RunningDigest;
}

/**
 * Fetches what is missing of a GGUF file and checks the whole. Throws what the gate throws, `model-not-found`, `storage-quota`, `stream-cut`
 * (what arrived stays) and `model-file-invalid` (nothing stays).
 */
export async function downloadFile(download: FileDownload): Promise<void> {
  const { folder, name, file, onProgress } = download;
  const whole = await folder.file(name);
  // One of another size is of another version: the hub has changed it in between.
  if (whole !== undefined && (file.bytes === null || whole.size === file.bytes)) {
    onProgress(whole.size, whole.size);
    return;
  }
  const part = await folder.openPart(name);
  try {
    const arriving = { part, digest: await digestOf(part, download) };
    if (file.bytes === null || part.bytes !== file.bytes) await receive(arriving, download);
    if (!hasMagic(part)) throw invalidFile(fileNameOf(file.url), 'magic');
    if (!arriving.digest.isMet()) throw invalidFile(fileNameOf(file.url), 'sum');
  } catch (error) {
    if (error instanceof AppError && error.code === 'model-file-invalid') part.empty();
    throw error;
  } finally {
    try {
      part.flush();
    } finally {
      part.close();
    }
  }
  await folder.declareWhole(name);
}

async function receive(arriving: Arriving, download: FileDownload): Promise<void> {
  const { file, onProgress } = download;
  const { part } = arriving;
  const name = fileNameOf(file.url);
  const response = await open(arriving, download);
  const start = part.bytes;
  const told = rangeOf(response)?.total ?? null;
  if (file.bytes !== null && told !== null && told !== file.bytes) {
    await response.body?.cancel();
    throw invalidFile(name, 'size');
  }
  const length = lengthOf(response);
  const size = file.bytes ?? told;
  const shown = size ?? (length === null ? null : start + length);
  onProgress(part.bytes, shown);
  let unflushed = 0;
  for await (const data of piecesOf(response.body)) {
    const before = part.bytes;
    part.append(data);
    arriving.digest.add(data);
    if (before < MAGIC.length && part.bytes >= MAGIC.length && !hasMagic(part)) throw invalidFile(name, 'magic');
    if (size !== null && part.bytes > size) throw invalidFile(name, 'size');
    unflushed += data.byteLength;
    if (unflushed >= FLUSH_BYTES) {
      part.flush();
      unflushed = 0;
    }
    onProgress(part.bytes, shown);
  }
  if (size === null || part.bytes === size) return;
  // A server that sent all that it promised has another file; any other end is a connection's.
  if (length !== null && part.bytes - start === length) throw invalidFile(name, 'size');
  throw new AppError('stream-cut', { retryable: true, details: { cause: 'connection' } });
}

/**
 * Asks for the rest. All of it comes anew from a server that does not know ranges, that has less than is here, or that has another version
 * by now. That is not asked with a condition: hubs hand files to hosts that allow a range from elsewhere and no other header.
 */
async function open(arriving: Arriving, download: FileDownload): Promise<Response> {
  const { part } = arriving;
  const { gate, folder, name, file, signal } = download;
  const ask = async (): Promise<Response> => requestModelFile(file.url, gate, signal, part.bytes);
  const beginAnew = async (): Promise<void> => {
    part.empty();
    arriving.digest = await digestOf(part, download);
  };
  let response: Response;
  try {
    response = await ask();
  } catch (error) {
    if (part.bytes === 0 || !(error instanceof AppError) || error.details['status'] !== 416) throw error;
    await beginAnew();
    response = await ask();
  }
  if (part.bytes > 0 && response.status !== 206) await beginAnew();
  // Where a hash is known it decides in the end; versions are told less reliably than that.
  if (part.bytes > 0 && file.sha256 === null && areOther(await folder.version(name), versionOf(response))) {
    await response.body?.cancel();
    await beginAnew();
    response = await ask();
  }
  if ((rangeOf(response)?.from ?? part.bytes) !== part.bytes) {
    await response.body?.cancel();
    throw invalidFile(fileNameOf(file.url), 'range');
  }
  if (part.bytes === 0) await folder.keepVersion(name, versionOf(response));
  return response;
}

/** Where the answer begins and how much there is in all; null where the server does not say it, or not to us. */
function rangeOf(response: Response): { readonly from: number; readonly total: number | null } | null {
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  if (response.status !== 206 || from === undefined || total === undefined) return null;
  return { from: Number(from), total: total === '*' ? null : Number(total) };
}

function lengthOf(response: Response): number | null {
  const length = response.headers.get('content-length');
  return length === null ? null : Number(length);
}

function areOther(known: string, told: string): boolean {
  return known !== '' && told !== '' && known !== told;
}

function versionOf(response: Response): string {
  return response.headers.get('etag') ?? response.headers.get('last-modified') ?? '';
}

/** The sum over what is here. Hundreds of megabytes take seconds: the worker has answers to write meanwhile. */
async function digestOf(part: OpenPart, { file, signal }: FileDownload): Promise<RunningDigest> {
  const expected = sha256Of(file.sha256);
  const digest = await startDigest(expected);
  if (expected === null || part.bytes === 0) return digest;
  const buffer = new Uint8Array(READ_BYTES);
  for (let at = 0; at < part.bytes;) {
    const read = part.read(buffer, at);
    digest.add(buffer.subarray(0, read));
    if (read === 0) break;
    at += read;
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
  }
  return digest;
}

function hasMagic(part: OpenPart): boolean {
  const start = new Uint8Array(MAGIC.length);
  part.read(start, 0);
  return isMagic(start);
}

function isMagic(start: Uint8Array): boolean {
  return MAGIC.every((byte, index) => byte === start[index]);
}

/** Copies a file of the user's into the folder. Throws `model-file-invalid`, `storage-quota`; nothing stays then. */
export async function takeInFile(folder: ModelFolder, name: string, file: Blob, shownName: string, signal: AbortSignal): Promise<void> {
  if (!isMagic(new Uint8Array(await file.slice(0, MAGIC.length).arrayBuffer()))) throw invalidFile(shownName, 'magic');
  const part = await folder.openPart(name);
  try {
    part.empty();
    for await (const data of piecesOf(file.stream())) {
      signal.throwIfAborted();
      part.append(data);
    }
    part.flush();
  } catch (error) {
    part.close();
    await folder.remove();
    throw isAbort(error) ? error : quotaOr(error);
  }
  part.close();
  await folder.declareWhole(name);
}
