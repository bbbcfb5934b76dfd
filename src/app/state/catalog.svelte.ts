import type { Catalog } from '../../core/protocol';
import type { Engine } from '../engine';

/** Providers and presets as the worker describes them: asked for once, on first use; asked again only after a failure. */
export class CatalogState {
  readonly #engine: Pick<Engine, 'call'>;
  readonly #onError: (error: unknown) => void;
  #catalog = $state.raw<Catalog | undefined>(undefined);
  #asked = false;

  constructor(engine: Pick<Engine, 'call'>, onError: (error: unknown) => void) {
    this.#engine = engine;
    this.#onError = onError;
  }

  /** Undefined until the worker has answered. Reading it asks. */
  get current(): Catalog | undefined {
    if (!this.#asked) void this.load();
    return this.#catalog;
  }

  /** Asks now, unless that was done. */
  async load(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    try {
      this.#catalog = await this.#engine.call('catalog', {});
    } catch (error) {
      this.#asked = false;
      this.#onError(error);
    }
  }
}
