import { AppError } from '../core/errors';
import { webLocks } from './locks';

const FOLDER = 'debug';
const FILE = 'agent-dev.jsonl';
const OLDER = 'agent-dev.1.jsonl';
const LOCK = 'debug-log';
// Section 28.3 of the runtime's design.
const MAX_BYTES = 10 * 1024 * 1024;

/** Adds lines at the end, one tab after the other. What would make the file larger than 10 MB begins a new one; one older file is kept. */
export async function appendLines(lines: readonly string[]): Promise<void> {
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
  await alone(async (folder) => {
    const file = await folder.getFileHandle(FILE, { create: true });
    if ((await file.getFile()).size + bytes.byteLength > MAX_BYTES) await rotate(folder, file);
    await write(file, bytes);
  });
}

/** Everything that is written down, oldest first. */
export async function readDebugLog(): Promise<Blob> {
  return alone(
    async (folder) => new Blob([...(await contentOf(folder, OLDER)), ...(await contentOf(folder, FILE))], { type: 'application/x-ndjson' }),
  );
}

/** Removes it. */
export async function clearDebugFiles(): Promise<void> {
  await alone(async (folder) => {
    for (const name of [OLDER, FILE]) if ((await contentOf(folder, name)).length > 0) await folder.removeEntry(name);
  });
}

async function rotate(folder: FileSystemDirectoryHandle, file: FileSystemFileHandle): Promise<void> {
  const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
  const older = await folder.getFileHandle(OLDER, { create: true });
  await write(older, bytes, true);
  await write(file, new Uint8Array(), true);
}

/** A handle that only workers have, and that every browser's worker has. */
async function write(file: FileSystemFileHandle, bytes: Uint8Array<ArrayBuffer>, isWhole = false): Promise<void> {
  const handle = await file.createSyncAccessHandle();
  try {
    if (isWhole) handle.truncate(0);
    const at = handle.getSize();
    if (handle.write(bytes, { at }) < bytes.byteLength) {
      handle.truncate(at);
      throw new AppError('storage-quota');
    }
    handle.flush();
  } finally {
    handle.close();
  }
}

async function contentOf(folder: FileSystemDirectoryHandle, name: string): Promise<readonly File[]> {
  try {
    return [await (await folder.getFileHandle(name)).getFile()];
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return [];
    throw error;
  }
}

async function alone<T>(work: (folder: FileSystemDirectoryHandle) => Promise<T>): Promise<T> {
  const release = await webLocks.acquire(LOCK);
  try {
    const root = await navigator.storage.getDirectory();
    return await work(await root.getDirectoryHandle(FOLDER, { create: true }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') throw new AppError('storage-quota', { cause: error });
    throw error;
  } finally {
    release();
  }
}
