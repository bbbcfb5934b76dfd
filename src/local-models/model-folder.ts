import { AppError } from '../core/errors';
import { quotaOr } from './space';

/** All models that are files lie below this folder of the origin's private file system. */
const FOLDER = 'local-models';
/** An empty file beside a whole one: there is no renaming in every browser. */
const WHOLE = '.whole';
/** A small file beside an unfinished one: which version of it the server was sending. */
const VERSION = '.version';

/** Written at once: each write waits for another process, so that small ones take three times as long. */
const GATHER_BYTES = 1024 ** 2;
// What has not filled up by then is written all the same: a killed tab loses no more than this long.
const SETTLE_MS = 500;

// The file of a worker that was just ended stays locked for a moment.
const LOCK_TRIES = 20;
const LOCK_PAUSE_MS = 100;

/** A file while it is written. Nothing may be done with it after `close`. */
export interface OpenPart {
  readonly bytes: number;
  /** Adds to its end; on disk within half a second. Throws `storage-quota`, for what came before as well; what is on disk stays. */
  append(data: Uint8Array<ArrayBuffer>): void;
  /** Reads from a place on; the number of bytes that were read. */
  read(into: Uint8Array<ArrayBuffer>, at: number): number;
  /** Forgets all of it. */
  empty(): void;
  /** What was added is on disk, and survives the end of the machine. Throws `storage-quota`. */
  flush(): void;
  close(): void;
}

/** The files of one model in the private file system. A file counts once it has been declared whole. */
export class ModelFolder {
  readonly #name: string;

  constructor(modelId: string) {
    // Ids hold addresses, and no name of a file may.
    this.#name = encodeURIComponent(modelId);
  }

  /** The whole file, or undefined. */
  async file(name: string): Promise<File | undefined> {
    const folder = await this.#find();
    if ((await handleOf(folder, name + WHOLE)) === undefined) return undefined;
    return (await handleOf(folder, name))?.getFile();
  }

  /** Bytes of everything that arrived, whole or not. */
  async bytes(): Promise<number> {
    const folder = await this.#find();
    let bytes = 0;
    if (folder === undefined) return 0;
    for await (const entry of folder.values()) {
      if (entry instanceof FileSystemFileHandle && !entry.name.endsWith(VERSION)) bytes += (await entry.getFile()).size;
    }
    return bytes;
  }

  /** The unfinished file, made where there is none; a whole one is unfinished from here on. Throws `storage-failed`, `storage-quota`. */
  async openPart(name: string): Promise<OpenPart> {
    try {
      const folder = await this.#make();
      await folder.removeEntry(name + WHOLE).catch(ignoreMissing);
      return openPart(await unlocked(await folder.getFileHandle(name, { create: true })));
    } catch (error) {
      throw quotaOr(error);
    }
  }

  /** Which version of the unfinished file is here, in the server's words; empty where nobody said. */
  async version(name: string): Promise<string> {
    return (await (await handleOf(await this.#find(), name + VERSION))?.getFile())?.text() ?? '';
  }

  async keepVersion(name: string, version: string): Promise<void> {
    try {
      const folder = await this.#make();
      const handle = await unlocked(await folder.getFileHandle(name + VERSION, { create: true }));
      handle.truncate(0);
      handle.write(new TextEncoder().encode(version), { at: 0 });
      handle.flush();
      handle.close();
    } catch (error) {
      throw quotaOr(error);
    }
  }

  /** The file is whole and was checked. */
  async declareWhole(name: string): Promise<void> {
    const folder = await this.#find();
    await folder?.getFileHandle(name + WHOLE, { create: true });
    await folder?.removeEntry(name + VERSION).catch(ignoreMissing);
  }

  /** Everything; nothing happens where nothing is. */
  async remove(): Promise<void> {
    const root = await navigator.storage.getDirectory();
    const models = await root.getDirectoryHandle(FOLDER, { create: true });
    await models.removeEntry(this.#name, { recursive: true }).catch(ignoreMissing);
  }

  async #make(): Promise<FileSystemDirectoryHandle> {
    const root = await navigator.storage.getDirectory();
    const models = await root.getDirectoryHandle(FOLDER, { create: true });
    return models.getDirectoryHandle(this.#name, { create: true });
  }

  async #find(): Promise<FileSystemDirectoryHandle | undefined> {
    try {
      const root = await navigator.storage.getDirectory();
      const models = await root.getDirectoryHandle(FOLDER);
      return await models.getDirectoryHandle(this.#name);
    } catch (error) {
      ignoreMissing(error);
      return undefined;
    }
  }
}

/**
 * The file for writing in place: a killed worker loses nothing that was flushed. The other way of writing keeps all in a copy until the
 * end, and so loses all.
 */
async function unlocked(file: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      if (!isNamed(error, 'NoModificationAllowedError') || tries === LOCK_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE_MS));
    }
  }
}

function openPart(handle: FileSystemSyncAccessHandle): OpenPart {
  let onDisk = handle.getSize();
  const gathered = new Uint8Array(GATHER_BYTES);
  let waiting = 0;
  let failure: AppError | undefined;
  const put = (data: Uint8Array<ArrayBuffer>): void => {
    const written = writeAt(handle, data, onDisk);
    // A full disk shows in private windows only by a count that can't be: part of the data, or an error's number.
    onDisk += written <= data.byteLength ? written : 0;
    if (written !== data.byteLength) throw new AppError('storage-quota');
  };
  const settle = (): void => {
    if (failure !== undefined) throw failure;
    const data = gathered.subarray(0, waiting);
    waiting = 0;
    if (data.byteLength > 0) put(data);
  };
  const timer = setInterval(() => {
    try {
      settle();
    } catch (error) {
      failure = quotaOr(error);
    }
  }, SETTLE_MS);
  return {
    get bytes() {
      return onDisk + waiting;
    },
    append(data) {
      if (waiting + data.byteLength > GATHER_BYTES) settle();
      if (data.byteLength >= GATHER_BYTES) put(data);
      else {
        gathered.set(data, waiting);
        waiting += data.byteLength;
      }
    },
    read(into, at) {
      settle();
      return handle.read(into, { at });
    },
    empty() {
      waiting = 0;
      failure = undefined;
      handle.truncate(0);
      onDisk = 0;
    },
    flush() {
      settle();
      handle.flush();
    },
    close() {
      clearInterval(timer);
      handle.close();
    },
  };
}

function writeAt(handle: FileSystemSyncAccessHandle, data: Uint8Array<ArrayBuffer>, at: number): number {
  try {
    return handle.write(data, { at });
  } catch (error) {
    throw quotaOr(error);
  }
}

async function handleOf(folder: FileSystemDirectoryHandle | undefined, name: string): Promise<FileSystemFileHandle | undefined> {
  try {
    return await folder?.getFileHandle(name);
  } catch (error) {
    ignoreMissing(error);
    return undefined;
  }
}

function ignoreMissing(error: unknown): void {
  if (!isNamed(error, 'NotFoundError')) throw error;
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name;
}
