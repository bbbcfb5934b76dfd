import { AppError, toErrorData, type ErrorData } from '../core/errors';
import type { LocalModel } from '../core/local-model';
import type { MlcRecord } from './engine';
import type { EngineDesk } from './engine-desk';
import type { Records } from './records';
import type { DownloadProgress, ModelStore } from './store';

export interface DownloadsParts {
  readonly records: Records;
  readonly store: ModelStore;
  readonly desk: Pick<EngineDesk, 'call'>;
  modelHost(): Promise<string>;
  changed(): void;
  keepAccount(models: readonly LocalModel[]): Promise<void>;
}

interface Running extends DownloadProgress {
  readonly controller: AbortController;
  /** Settles when the record says how it ended. */
  readonly ended: Promise<void>;
}

/** The downloads that go on. How one ended is in its record: complete, paused, or failed with an error. */
export class Downloads {
  readonly #parts: DownloadsParts;
  readonly #running = new Map<string, Running>();

  constructor(parts: DownloadsParts) {
    this.#parts = parts;
  }

  get running(): ReadonlyMap<string, DownloadProgress> {
    return new Map([...this.#running].map(([id, { receivedBytes, totalBytes }]) => [id, { receivedBytes, totalBytes }]));
  }

  /** Begins, or goes on where it stopped. Nothing happens while it runs or once it is complete. */
  begin(model: LocalModel, precision: 'f16' | 'f32' | null): void {
    const record = this.#parts.records.find(model.id);
    if (this.#running.has(model.id) || record?.isComplete === true) return;
    const controller = new AbortController();
    const progress = { receivedBytes: record?.receivedBytes ?? 0, totalBytes: record?.totalBytes ?? model.downloadBytes };
    const ended = this.#run(model, precision, controller.signal).finally(() => {
      this.#running.delete(model.id);
      this.#parts.changed();
    });
    this.#running.set(model.id, { ...progress, controller, ended });
  }

  /** Ends a download; what arrived stays, and `reason` is told there. Resolves once that is on record. */
  async pause(modelId: string, reason?: AppError): Promise<void> {
    const running = this.#running.get(modelId);
    running?.controller.abort(reason);
    await running?.ended;
  }

  /** As `pause`, all of them. */
  async pauseAll(reason: AppError): Promise<void> {
    await Promise.all([...this.#running.keys()].map(async (id) => this.pause(id, reason)));
  }

  /** Nothing of the model is here any more. */
  async forget(modelId: string): Promise<void> {
    await this.#parts.records.remove(modelId);
    await this.keepAccount();
    this.#parts.changed();
  }

  /** The account of this device lists what is ready. */
  async keepAccount(): Promise<void> {
    await this.#parts.keepAccount(this.#parts.records.all.filter(({ isComplete }) => isComplete).map(({ model }) => model));
  }

  async #run(model: LocalModel, precision: 'f16' | 'f32' | null, signal: AbortSignal): Promise<void> {
    const { records, store } = this.#parts;
    try {
      await records.put(model, { precision, error: null });
      const record = await this.#recordOf(model);
      const storedBytes = await store.download(model, {
        signal,
        modelHost: await this.#parts.modelHost(),
        record,
        onProgress: (progress) => {
          this.#note(model.id, progress);
        },
      });
      await this.#prove(model);
      await records.put(model, { receivedBytes: storedBytes, totalBytes: storedBytes, isComplete: true });
      await this.keepAccount();
    } catch (error) {
      const { totalBytes = null, receivedBytes: told = 0 } = this.#running.get(model.id) ?? {};
      const receivedBytes = (await store.storedBytes(model).catch(() => null)) ?? told;
      // A database that can't take the note any more has told so itself.
      await records.put(model, { receivedBytes, totalBytes, error: whyEnded(error, signal) }).catch(() => undefined);
    }
  }

  async #recordOf(model: LocalModel): Promise<MlcRecord | null> {
    const recordId = this.#parts.records.mlcOf(model);
    if (recordId === null) return null;
    const record = await this.#parts.desk.call('mlc-record', { recordId });
    if (record === null) throw new AppError('model-not-found', { details: { modelId: model.name } });
    return record;
  }

  /** The package itself has to find what we put into its caches. */
  async #prove(model: LocalModel): Promise<void> {
    const recordId = this.#parts.records.mlcOf(model);
    if (recordId === null || (await this.#parts.desk.call('mlc-is-stored', { recordId }))) return;
    throw new AppError('model-file-invalid', { details: { name: model.name } });
  }

  #note(modelId: string, progress: DownloadProgress): void {
    const running = this.#running.get(modelId);
    if (running === undefined) return;
    this.#running.set(modelId, { ...running, ...progress });
    this.#parts.changed();
  }
}

/** Null where the user paused it. */
function whyEnded(error: unknown, { aborted, reason }: AbortSignal): ErrorData | null {
  if (!aborted) return toErrorData(error);
  return reason instanceof AppError ? toErrorData(reason) : null;
}
