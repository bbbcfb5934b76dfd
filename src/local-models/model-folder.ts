import { AppError } from '../core/errors';
import { quotaOr } from './space';

/** All models that are files lie below this folder of the origin's private file system. */
const FOLDER = 'local-models';
/** An empty file beside a whole one: there is no renaming in every browser. */
const WHOLE = '.whole';

/** A file while it is written. Nothing may be done with it after `close`. */
export interface OpenPart {
  readonly bytes: number;
  /** Adds to its end. Throws `storage-quota`; what was there stays. */
  append(data: Uint8Array<ArrayBuffer>): void;
  /** Reads from a place on; the number of bytes that were read. */
  read(into: Uint8Array<ArrayBuffer>, at: number): number;
  truncate(bytes: number): void;
  /** What was written survives the end of this tab. */
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

  /** Bytes of everything in the folder, whole or not. */
  async bytes(): Promise<number> {
    const folder = await this.#find();
    let bytes = 0;
    if (folder === undefined) return 0;
    for await (const entry of folder.values()) if (entry instanceof FileSystemFileHandle) bytes += (await entry.getFile()).size;
    return bytes;
  }

  /** The unfinished file, made where there is none. Throws `storage-failed` where another worker has it open. */
  async openPart(name: string): Promise<OpenPart> {
    const root = await navigator.storage.getDirectory();
    const models = await root.getDirectoryHandle(FOLDER, { create: true });
    const folder = await models.getDirectoryHandle(this.#name, { create: true });
    const handle = await folder.getFileHandle(name, { create: true });
    return openPart(await handle.createSyncAccessHandle());
  }

  /** The file is whole and was checked. */
  async declareWhole(name: string): Promise<void> {
    const folder = await this.#find();
    await folder?.getFileHandle(name + WHOLE, { create: true });
  }

  /** Everything; nothing happens where nothing is. */
  async remove(): Promise<void> {
    const root = await navigator.storage.getDirectory();
    const models = await root.getDirectoryHandle(FOLDER, { create: true });
    await models.removeEntry(this.#name, { recursive: true }).catch(ignoreMissing);
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

function openPart(handle: FileSystemSyncAccessHandle): OpenPart {
  let bytes = handle.getSize();
  return {
    get bytes() {
      return bytes;
    },
    append(data) {
      const written = writeAt(handle, data, bytes);
      // A full disk shows in private windows only by a count that can't be: part of the data, or an error's number.
      bytes += written <= data.byteLength ? written : 0;
      if (written !== data.byteLength) throw new AppError('storage-quota');
    },
    read: (into, at) => handle.read(into, { at }),
    truncate(size) {
      handle.truncate(size);
      bytes = size;
    },
    flush: () => {
      handle.flush();
    },
    close: () => {
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
  if (!(error instanceof DOMException) || error.name !== 'NotFoundError') throw error;
}
