import { toErrorData, type ErrorData } from '../../core/errors';
import type { LocalModelAction, LocalModelsView } from '../../core/local-model';
import type { Engine } from '../engine';

/** The models on this device while somebody looks at them. */
export class LocalModelsState {
  readonly #engine: Pick<Engine, 'call' | 'listen'>;
  #view = $state.raw<LocalModelsView | null>(null);
  #error = $state.raw<ErrorData | null>(null);

  constructor(engine: Pick<Engine, 'call' | 'listen'>) {
    this.#engine = engine;
  }

  /** Null until the worker has answered. */
  get view(): LocalModelsView | null {
    return this.#view;
  }

  /** Why the last thing that was asked was not done; null after the next. */
  get error(): ErrorData | null {
    return this.#error;
  }

  /** Looks, and hears of every change until the returned function is called. */
  follow(): () => void {
    const stop = this.#engine.listen((name, payload) => {
      if (name === 'local-models' && 'entries' in payload) this.#view = payload;
    });
    void this.act({ type: 'look' });
    return stop;
  }

  /** Never throws: what failed is the `error`. Resolves with whether it was done. */
  async act(action: LocalModelAction): Promise<boolean> {
    return this.#do(async () => this.#engine.call('local-models', { action }));
  }

  /** Brings in a file; as `act`. */
  async addFile(file: File): Promise<boolean> {
    return this.#do(async () => this.#engine.call('add-model-file', { file, name: file.name }));
  }

  async #do(work: () => Promise<LocalModelsView>): Promise<boolean> {
    this.#error = null;
    try {
      this.#view = await work();
      return true;
    } catch (error) {
      this.#error = toErrorData(error);
      return false;
    }
  }
}
