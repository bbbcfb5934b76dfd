import { AppError, isAbort, toAppError, toErrorData, type ErrorData } from '../core/errors';
import { estimateTextTokens } from '../core/context';
import type { DeviceFacts, Fit, LocalEvent, LocalModel, LocalModelAction, LocalModelsView, LocalRequest } from '../core/local-model';
import { AnswerLine } from './answer-line';
import { Downloads } from './downloads';
import type { EngineModel } from './engine';
import { EngineDesk, type EngineDeskParts } from './engine-desk';
import { viewOf } from './model-view';
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
      case 'download': {
        const model = this.#find(action.modelId);
        this.#downloads.begin(model, this.#precisionOf(model));
        break;
      }
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
      case 'load':
        await this.#alone(signal, async () => this.#load(action.modelId));
        break;
      case 'unload':
        await this.#alone(signal, async () => {
          this.#desk.end();
        });
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

  /** Ends every download; `reason` is told where each stands. What arrived stays. */
  async pauseDownloads(reason: AppError): Promise<void> {
    await this.#downloads.pauseAll(reason);
  }

  /**
   * One answer, as `LocalRuntime.generate` says; `take` gets its events. Once `signal` fires this rejects at once, and what is going on ends
   * behind the one who has left: the next in line comes when the engine is free, not before.
   */
  async generate(request: LocalRequest, take: (event: LocalEvent) => void, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const model = this.#ready(request.modelId);
    refuseTooLong(request, model);
    const served = this.#serve(request, take, signal);
    try {
      await orAborted(served, signal);
    } catch (error) {
      throw this.#explained(error, model);
    }
  }

  async #serve(request: LocalRequest, take: (event: LocalEvent) => void, signal: AbortSignal): Promise<void> {
    const place = await this.#line.enter(request.priority, signal, () => {
      take({ type: 'wait', wait: { type: 'queued' } });
    });
    const either = AbortSignal.any([signal, place.signal]);
    try {
      await this.#load(request.modelId, (progress) => {
        take({ type: 'wait', wait: { type: 'loading', progress } });
      });
      either.throwIfAborted();
      take({ type: 'wait', wait: { type: 'reading' } });
      const finish = await this.#desk.answer(request, take, either);
      either.throwIfAborted();
      const { tokensPerSecond } = finish;
      if (tokensPerSecond !== null) await this.#parts.records.put(this.#ready(request.modelId), { tokensPerSecond });
      take(finish);
    } finally {
      place.leave();
    }
  }

  /** Does what needs the engine to itself. */
  async #alone(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const place = await this.#line.enter('chat', signal);
    try {
      await work();
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
      const { contextTokens } = await this.#desk.load(model, plan);
      // A model of the user's is only known once it was loaded.
      await records.put({ ...model, contextTokens }, { isLoading: false });
      if (contextTokens !== model.contextTokens) await this.#downloads.keepAccount();
    } catch (error) {
      if (!isDeath(error)) await records.put(model, { isLoading: false });
      throw isDeath(error) ? new AppError('model-load-failed', { details: { model: model.name } }) : error;
    } finally {
      stopWatching();
    }
  }

  async #plan(model: LocalModel): Promise<EngineModel> {
    const { contextTokens } = model;
    const recordId = this.#parts.records.mlcOf(model);
    if (recordId !== null) return { engine: 'web-llm', recordId, contextTokens };
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
    await this.#alone(new AbortController().signal, async () => {
      if (this.#desk.loaded === modelId) this.#desk.end();
      const recordId = this.#parts.records.mlcOf(model);
      if (recordId === null) await this.#parts.store.remove(model);
      else await this.#desk.call('mlc-remove', { recordId });
    });
    await this.#downloads.forget(modelId);
  }

  #find(modelId: string): LocalModel {
    const { records, catalogue } = this.#parts;
    const model = records.find(modelId)?.model ?? catalogue.find(({ id }) => id === modelId);
    if (model === undefined) throw new AppError('model-not-downloaded', { details: { modelId } });
    return model;
  }

  #ready(modelId: string): LocalModel {
    const model = this.#find(modelId);
    if (this.#parts.records.find(modelId)?.isComplete === true) return model;
    throw new AppError('model-not-downloaded', { details: { modelId: model.name } });
  }

  /** What was fetched of it stays what it is; else what this GPU can do. */
  #precisionOf(model: LocalModel): 'f16' | 'f32' | null {
    const fit = this.#parts.fit(model, this.#device, 0);
    return this.#parts.records.find(model.id)?.precision ?? (fit.fits ? fit.precision : null);
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

/** What `work` comes to, or the signal's reason at once; the work goes on. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'));
      },
      { once: true },
    );
  });
  await Promise.race([work, aborted]);
}
