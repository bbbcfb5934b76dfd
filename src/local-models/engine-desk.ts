import { isAbort, toAppError, type AppError } from '../core/errors';
import type { LocalEvent, LocalModel, LocalRequest } from '../core/local-model';
import type { EngineCommands, EngineEvents, EngineModel, LoadedModel } from './engine';

/** A running engine worker. */
export interface EngineLine {
  call<K extends keyof EngineCommands & string>(name: K, args: EngineCommands[K]['args']): Promise<EngineCommands[K]['result']>;
  /** Ends the worker, whatever it is doing: its memory is free, and calls that wait reject with `worker-died`. */
  end(): void;
}

export interface EngineDeskParts {
  /** Starts a worker. `hear` gets its events; `onDeath` is called when it ended by itself. */
  start(hear: <K extends keyof EngineEvents>(name: K, payload: EngineEvents[K]) => void, onDeath: () => void): EngineLine;
  schedule(ms: number, callback: () => void): () => void;
  /** Another model is loaded, or none, or how far a load is. */
  changed(): void;
}

export interface Loading {
  readonly modelId: string;
  readonly progress: number | null;
}

type Output = (event: LocalEvent) => void;

// An answer ends after its current token, well within this. What takes longer reads a prompt, and only ends with its worker.
const GRACE_MS = 2_000;

/** The one engine worker: started when it is needed, told one thing at a time, and ended when nothing else helps. */
export class EngineDesk {
  readonly #parts: EngineDeskParts;
  #line: EngineLine | undefined;
  #loaded: string | undefined;
  #loading: Loading | undefined;
  #answer: { readonly id: number; readonly output: Output } | undefined;
  #lastId = 0;
  readonly #watchers = new Set<(loading: Loading) => void>();

  constructor(parts: EngineDeskParts) {
    this.#parts = parts;
  }

  /** Id of the model that is ready to answer. */
  get loaded(): string | undefined {
    return this.#loaded;
  }

  get loading(): Loading | undefined {
    return this.#loading;
  }

  /** Calls `watcher` with every step of a load until the returned function is called. */
  watch(watcher: (loading: Loading) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** The worker's word about models of its packages. */
  async call<K extends 'mlc-record' | 'mlc-is-stored' | 'mlc-remove'>(
    name: K,
    args: EngineCommands[K]['args'],
  ): Promise<EngineCommands[K]['result']> {
    return this.#running().call(name, args);
  }

  /**
   * Loads a model in place of the one before. Throws `model-load-failed`, `out-of-memory`,
   * `device-lost`, or `worker-died` where the engine did not survive it.
   */
  async load(model: LocalModel, plan: EngineModel): Promise<LoadedModel> {
    this.#loaded = undefined;
    this.#progress({ modelId: model.id, progress: null });
    try {
      const loaded = await this.#running().call('load', plan);
      this.#loaded = model.id;
      return loaded;
    } catch (error) {
      // What is left of a failed load is in nobody's hands.
      this.end();
      throw error;
    } finally {
      this.#progress(undefined);
    }
  }

  /**
   * One answer of the loaded model. When `signal` fires the answer ends after its token, or the worker is ended: this resolves once the
   * engine is free again. Throws what `generate` throws, and `worker-died`.
   */
  async answer(request: LocalRequest, output: Output, signal: AbortSignal): Promise<Extract<LocalEvent, { type: 'finish' }>> {
    const line = this.#running();
    const id = ++this.#lastId;
    this.#answer = { id, output };
    let endGrace: () => void = () => undefined;
    const stop = (): void => {
      line.call('interrupt', { id }).catch(() => undefined);
      endGrace = this.#parts.schedule(GRACE_MS, () => {
        if (this.#line === line) this.end();
      });
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await line.call('generate', { id, request });
    } catch (error) {
      // A device that was lost, or memory that ran out, is only given back with the worker.
      if (!isAbort(error) && isFatal(toAppError(error)) && this.#line === line) this.end();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      endGrace();
      if (this.#answer?.id === id) this.#answer = undefined;
    }
  }

  /** Ends the worker, so that all its memory is free. The next load starts another. */
  end(): void {
    const line = this.#line;
    this.#line = undefined;
    this.#loaded = undefined;
    this.#loading = undefined;
    line?.end();
    this.#parts.changed();
  }

  #running(): EngineLine {
    if (this.#line !== undefined) return this.#line;
    const line: EngineLine = this.#parts.start(
      (name, payload) => {
        if (this.#line === line) this.#hear(name, payload);
      },
      () => {
        if (this.#line === line) this.end();
      },
    );
    this.#line = line;
    return line;
  }

  #hear<K extends keyof EngineEvents>(_name: K, payload: EngineEvents[K]): void {
    if ('events' in payload) {
      if (payload.id === this.#answer?.id) payload.events.forEach(this.#answer.output);
    } else if ('progress' in payload && this.#loading !== undefined) this.#progress({ ...this.#loading, progress: payload.progress });
  }

  #progress(loading: Loading | undefined): void {
    this.#loading = loading;
    if (loading !== undefined) for (const watcher of this.#watchers) watcher(loading);
    this.#parts.changed();
  }
}

function isFatal({ code }: AppError): boolean {
  return code === 'device-lost' || code === 'out-of-memory' || code === 'worker-died' || code === 'internal';
}
