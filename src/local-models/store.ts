import type { LocalModel } from '../core/local-model';
import type { MlcRecord } from './engine';

/** How far a download is. `totalBytes` is null until the hub has said it. */
export interface DownloadProgress {
  readonly receivedBytes: number;
  readonly totalBytes: number | null;
}

/** The files of models on this device. */
export interface ModelStore {
  /**
   * Fetches what is missing of a model, through the gate, and checks it. What arrived stays when it throws: AbortError once `signal` fires,
   * `storage-quota`, `model-file-invalid` (what was wrong is removed), `offline-lock`, or what the gate throws. Resolves with the bytes that
   * are stored.
   */
  download(model: LocalModel, options: DownloadOptions): Promise<number>;
  /** Takes in a GGUF file of the user's under the id of `model`. Throws `model-file-invalid`, `storage-quota`; nothing stays then. */
  takeIn(model: LocalModel, file: Blob, signal: AbortSignal): Promise<number>;
  /** The files of a complete GGUF model, in order. Throws `model-not-downloaded` where one is missing: the browser may have cleared them. */
  open(model: LocalModel): Promise<readonly File[]>;
  /** Bytes that are stored of a model, whole or in part; null where only its last progress tells. */
  storedBytes(model: LocalModel): Promise<number | null>;
  /** Removes everything of a GGUF model. What is not there is no failure. */
  remove(model: LocalModel): Promise<void>;
}

export interface DownloadOptions {
  readonly signal: AbortSignal;
  /** Where the hub is, ending in a slash: the setting. */
  readonly modelHost: string;
  /** The package's record of an MLC model, already by the right precision; null for GGUF. */
  readonly record: MlcRecord | null;
  readonly onProgress: (progress: DownloadProgress) => void;
}
