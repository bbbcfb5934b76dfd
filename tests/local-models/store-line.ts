import { Peer } from '../../src/bridge/rpc';
import { AppError } from '../../src/core/errors';
import type { LocalModel } from '../../src/core/local-model';
import type { DownloadProgress } from '../../src/local-models/store';
import type { FileBehaviour } from '../support/fake-hub';

export const HUB_URL = 'https://hub.example/';

export interface StoreCommands {
  /** A model file of `size` bytes at the hub; `start` is written over how it begins. */
  put: {
    args: {
      readonly path: string;
      readonly size: number;
      readonly seed?: number;
      readonly start?: string;
      readonly behaviour?: FileBehaviour;
    };
    result: null;
  };
  behave: { args: { readonly path: string; readonly behaviour: FileBehaviour }; result: null };
  /** `estimate` is what the browser says of its space from now on, whatever is true. */
  settings: { args: { readonly hasLists?: boolean; readonly locked?: boolean; readonly estimate?: StorageEstimate }; result: null };
  /** What the hub was asked for since the last time. */
  requests: { args: Record<string, never>; result: { readonly requests: readonly string[]; readonly sentBytes: number } };
  /** Pauses itself once so many bytes are there. */
  download: { args: { readonly model: LocalModel; readonly pauseAt: number | null }; result: number };
  'take-in': { args: { readonly model: LocalModel; readonly file: Blob; readonly isAborted: boolean }; result: number };
  /** The hashes of a model's files. */
  open: { args: { readonly model: LocalModel }; result: readonly string[] };
  'stored-bytes': { args: { readonly model: LocalModel }; result: number | null };
  remove: { args: { readonly model: LocalModel }; result: null };
}

export interface StoreEvents {
  progress: DownloadProgress;
}

/** A model store in a worker of its own, with a hub beside it; `end` kills both. */
export class StoreLine {
  readonly progress: DownloadProgress[] = [];
  /** Called with each step of progress. */
  onProgress: (progress: DownloadProgress) => void = () => undefined;
  readonly #worker = new Worker(new URL('./store-worker.ts', import.meta.url), { type: 'module' });
  readonly #peer = new Peer<StoreCommands, Record<never, never>, Record<never, never>, StoreEvents>(this.#worker, {}, (_name, progress) => {
    this.progress.push(progress);
    this.onProgress(progress);
  });

  async call<K extends keyof StoreCommands & string>(name: K, args: StoreCommands[K]['args']): Promise<StoreCommands[K]['result']> {
    return this.#peer.call(name, args);
  }

  async download(model: LocalModel, pauseAt: number | null = null): Promise<number> {
    return this.call('download', { model, pauseAt });
  }

  end(): void {
    this.#worker.terminate();
    this.#peer.close(new AppError('worker-died'));
  }
}
