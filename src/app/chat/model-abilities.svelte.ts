import type { ModelCapabilities } from '../../core/account';
import type { ModelReference } from '../../core/node';
import type { Engine } from '../engine';

/** What one model can take and do, asked of the worker once. */
export class ModelAbilities {
  #capabilities = $state.raw<ModelCapabilities | null>(null);

  constructor(engine: Pick<Engine, 'call'>, model: ModelReference) {
    engine.call('capabilities', model).then(
      (capabilities) => {
        this.#capabilities = capabilities;
      },
      // Unknown abilities refuse nothing here; the worker asks the same question again before it sends.
      () => undefined,
    );
  }

  /** Null until the worker has answered. */
  get current(): ModelCapabilities | null {
    return this.#capabilities;
  }
}
