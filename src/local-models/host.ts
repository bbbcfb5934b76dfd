import { AppError, isAbort, toAppError, toErrorData, type ErrorData } from '../core/errors';
import { estimateTextTokens } from '../core/context';
import type { DeviceFacts, Fit, LocalEvent, LocalModel, LocalModelAction, LocalModelsView, LocalRequest } from '../core/local-model';
import { AnswerLine } from './answer-line';
import { Downloads } from './downloads';
import type { EngineModel } from './engine';
import { EngineDesk, type EngineDeskParts } from './engine-desk';
import { Feed } from './feed';
import { viewOf } from './model-view';
import { mlcOf } from './mlc-choice';
import type { Records } from './records';
import type { ModelStore } from './store';

export interface LocalHostParts extends Pick<EngineDeskParts, 'start' | 'schedule'> {
  readonly catalogue: readonly LocalModel[];
  readonly records: Records;
  readonly store: ModelStore;
  device(): Promise<DeviceFacts>;
  readonly fit: (model: LocalModel, device: DeviceFacts, storedBytes: number) => Fit;
  /** A smaller model that fits here, to be named where one does not. */
  smaller(model: LocalModel, view: LocalModelsView): LocalModel | null;
  /** A model of the user's own. Throws `address-invalid`. */
  custom(url: string): LocalModel;
  readonly fromFile: (name: string, sizeBytes: number) => LocalModel;
  modelHost(): Promise<string>;
  now(): number;
  /** Called with every change of the view. */
  changed(view: LocalModelsView): void;
  /** The models that are ready are these now: their account and its list follow. */
  keepAccount(models: readonly LocalModel[]): Promise<void>;
}

/** Everything about models on this device, in the one worker that has the engine. */
export class LocalHost {
  readonly #parts: LocalHostParts;
  readonly #desk: EngineDesk;
  readonly #line = new AnswerLine();
  readonly #downloads: Downloads;
  #device: DeviceFacts;

  private constructor(parts: LocalHostParts, device: DeviceFacts) {
    this.#parts = parts;
    this.#device = device;
    const changed = (): void => {
      parts.changed(this.view());
    };
    this.#desk = new EngineDesk({ start: parts.start, schedule: parts.schedule, changed });
    this.#downloads = new Downloads({ ...parts, desk: this.#desk, changed });
  }

  static async open(parts: LocalHostParts): Promise<LocalHost> {
    return new LocalHost(parts, await parts.device());
  }

  /** Whether nothing goes on and nothing is loaded: another tab may have the engine. */
  get isIdle(): boolean {
    return !this.#line.isBusy && this.#downloads.running.size === 0 && this.#desk.loaded === undefined && this.#desk.loading === undefined;
  }

  /** Ends the engine; nothing may be asked of this host after it. */
  close(): void {
    this.#desk.end();
  }

  view(): LocalModelsView {
    const { catalogue, records, fit } = this.#parts;
    return viewOf({
      catalogue,
      records: records.all,
      device: this.#device,
      downloads: this.#downloads.running,
      loading: this.#desk.loading,
      loaded: this.#desk.loaded,
      fit,
    });
  }

  /** Does what the user asked and answers with the view right after; a download goes on by itself. */
  async act(action: LocalModelAction, signal: AbortSignal): Promise<LocalModelsView> {
    switch (action.type) {
      case 'look':
        break;
      case 'download':
        this.#downloads.begin(this.#find(action.modelId), this.#precisionOf(action.modelId));
        break;
      case 'pause':
        await this.#downloads.pause(action.modelId);
        break;
      case 'remove':
        await this.#remove(action.modelId);
        break;
      case 'add-url': {
        const model = this.#parts.custom(action.url);
        await this.#parts.records.put(model, {});
        this.#downloads.begin(model, null);
        break;
      }
      case 'load': {
        const place = await this.#line.enter('chat', signal);
        try {
          await this.#load(action.modelId);
        } finally {
          place.leave();
        }
        break;
      }
      case 'unload': {
        const place = await this.#line.enter('chat', signal);
        this.#desk.end();
        place.leave();
      }
    }
    return this.#refreshed();
  }

  /** Takes in a GGUF file of the user's. Throws `model-file-invalid`, `storage-quota`. */
  async addFile(file: Blob, name: string, signal: AbortSignal): Promise<LocalModelsView> {
    const { records, store, fromFile } = this.#parts;
    const model = fromFile(name, file.size);
    const storedBytes = await store.takeIn(model, file, signal);
    await records.put(model, { receivedBytes: storedBytes, totalBytes: storedBytes, isComplete: true });
    await this.#downloads.keepAccount();
    return this.#refreshed();
  }

  /** See `LocalRuntime.generate`. */
  async *generate(request: LocalRequest, signal: AbortSignal): AsyncGenerator<LocalEvent> {
    signal.throwIfAborted();
    const model = this.#ready(request.modelId);
    refuseTooLong(request, model);
    const feed = new Feed<LocalEvent>();
    this.#serve(request, feed, signal).then(
      () => {
        feed.close();
      },
      (error: unknown) => {
        feed.fail(this.#explained(error, model));
      },
    );
    yield* feed.read(signal);
  }

  /** Goes on behind a reader who has left: the next in line comes when the engine is free, not before. */
  async #serve(request: LocalRequest, feed: Feed<LocalEvent>, signal: AbortSignal): Promise<void> {
    const wait = (event: Extract<LocalEvent, { type: 'wait' }>['wait']): void => {
      feed.push({ type: 'wait', wait: event });
    };
    const place = await this.#line.enter(request.priority, signal, () => {
      wait({ type: 'queued' });
    });
    const either = AbortSignal.any([signal, place.signal]);
    try {
      await this.#load(request.modelId, (progress) => {
        wait({ type: 'loading', progress });
      });
      either.throwIfAborted();
      wait({ type: 'reading' });
      const finish = await this.#desk.answer(
        request,
        (event) => {
          feed.push(event);
        },
        either,
      );
      either.throwIfAborted();
      await this.#remember(request.modelId, finish.tokensPerSecond);
      feed.push(finish);
    } finally {
      place.leave();
    }
  }

  /** Marks the record while the load lasts: a mark that is found later means that the load took the worker or the tab with it. */
  async #load(modelId: string, onProgress: (progress: number | null) => void = () => undefined): Promise<void> {
    if (this.#desk.loaded === modelId) return;
    const model = this.#ready(modelId);
    const { records } = this.#parts;
    const plan = await this.#plan(model);
    await records.put(model, { isLoading: true });
    const stopWatching = this.#desk.watch(({ progress }) => {
      onProgress(progress);
    });
    try {
      await this.#desk.load(model, plan);
      await records.put(model, { isLoading: false });
    } catch (error) {
      if (!isDeath(error)) await records.put(model, { isLoading: false });
      throw isDeath(error) ? new AppError('model-load-failed', { details: { model: model.name } }) : error;
    } finally {
      stopWatching();
    }
  }

  async #plan(model: LocalModel): Promise<EngineModel> {
    const { contextTokens } = model;
    const mlc = mlcOf(model, this.#parts.records.find(model.id)?.precision ?? null);
    if (mlc !== null) return { engine: 'web-llm', ...mlc, contextTokens };
    return { engine: 'wllama', files: await this.#filesOf(model), contextTokens };
  }

  /** The browser may have cleared them: then they have to be fetched anew. */
  async #filesOf(model: LocalModel): Promise<readonly File[]> {
    try {
      return await this.#parts.store.open(model);
    } catch (error) {
      if (toAppError(error).code === 'model-not-downloaded') await this.#downloads.forget(model.id);
      throw error;
    }
  }

  async #remove(modelId: string): Promise<void> {
    await this.#downloads.pause(modelId);
    const model = this.#find(modelId);
    const place = await this.#line.enter('chat', new AbortController().signal);
    try {
      if (this.#desk.loaded === modelId) this.#desk.end();
      const mlc = mlcOf(model, this.#parts.records.find(modelId)?.precision ?? null);
      if (mlc === null) await this.#parts.store.remove(model);
      else await this.#desk.call('mlc-remove', mlc);
    } finally {
      place.leave();
    }
    await this.#downloads.forget(modelId);
  }

  async #remember(modelId: string, tokensPerSecond: number | null): Promise<void> {
    const model = this.#find(modelId);
    await this.#parts.records.put(model, { usedAt: this.#parts.now(), ...(tokensPerSecond === null ? {} : { tokensPerSecond }) });
  }

  #find(modelId: string): LocalModel {
    const model = this.view().entries.find((entry) => entry.model.id === modelId)?.model;
    if (model === undefined) throw new AppError('model-not-downloaded', { details: { modelId } });
    return model;
  }

  #ready(modelId: string): LocalModel {
    const record = this.#parts.records.find(modelId);
    if (record?.isComplete !== true) throw new AppError('model-not-downloaded', { details: { modelId: this.#nameOf(modelId) } });
    return record.model;
  }

  #nameOf(modelId: string): string {
    return this.view().entries.find((entry) => entry.model.id === modelId)?.model.name ?? modelId;
  }

  #precisionOf(modelId: string): 'f16' | 'f32' | null {
    const known = this.#parts.records.find(modelId)?.precision ?? null;
    const fit = this.view().entries.find((entry) => entry.model.id === modelId)?.fit;
    return known ?? (fit?.fits === true ? fit.precision : null);
  }

  /** Names the model, and a smaller one where that would help. */
  #explained(error: unknown, model: LocalModel): unknown {
    if (isAbort(error) || !(error instanceof AppError) || !HELPED_BY_SMALLER.includes(error.code)) return error;
    const smaller = this.#parts.smaller(model, this.view());
    const details = { ...error.details, model: model.name, ...(smaller === null ? {} : { smaller: smaller.name }) };
    return new AppError(error.code, { retryable: error.retryable, details, cause: error });
  }

  async #refreshed(): Promise<LocalModelsView> {
    this.#device = await this.#parts.device();
    const view = this.view();
    this.#parts.changed(view);
    return view;
  }
}

const HELPED_BY_SMALLER: readonly ErrorData['code'][] = ['out-of-memory', 'device-lost', 'model-load-failed'];

function isDeath(error: unknown): boolean {
  return toErrorData(error).code === 'worker-died';
}

/** An engine would cut or fail in words of its own. Estimates are rough, so only what can't fit by far is refused here. */
function refuseTooLong({ body }: LocalRequest, { contextTokens }: LocalModel): void {
  const promptTokens = estimateTextTokens(JSON.stringify(body['messages']));
  if (promptTokens < contextTokens) return;
  throw new AppError('context-overflow', { details: { promptTokens, contextTokens } });
}
