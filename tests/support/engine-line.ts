import { startEngine } from '../../src/worker/engine-line';
import type { EngineCommands, EngineEvents } from '../../src/local-models/engine';
import type { EngineLine } from '../../src/local-models/engine-desk';
import type { LocalEvent, LocalRequest } from '../../src/core/local-model';

/** A real engine worker and what it says. */
export class RealEngine {
  readonly events: LocalEvent[] = [];
  readonly progress: (number | null)[] = [];
  readonly #line: EngineLine;
  #id = 0;
  #onOutput: () => void = () => undefined;

  constructor() {
    this.#line = startEngine(
      (name, payload) => {
        this.#hear(name, payload);
      },
      () => undefined,
    );
  }

  async call<K extends keyof EngineCommands & string>(name: K, args: EngineCommands[K]['args']): Promise<EngineCommands[K]['result']> {
    return this.#line.call(name, args);
  }

  /** One answer; what it says is in `events` once this resolves. `afterOutput` is called with each piece. */
  async generate(
    request: Omit<LocalRequest, 'modelId' | 'priority'>,
    afterOutput: (id: number) => void = () => undefined,
  ): Promise<EngineCommands['generate']['result']> {
    this.events.length = 0;
    const id = ++this.#id;
    this.#onOutput = () => {
      afterOutput(id);
    };
    return this.#line.call('generate', { id, request: { ...request, modelId: 'test', priority: 'chat' } });
  }

  end(): void {
    this.#line.end();
  }

  #hear<K extends keyof EngineEvents>(_name: K, payload: EngineEvents[K]): void {
    if ('events' in payload) {
      this.events.push(...payload.events);
      this.#onOutput();
    } else if ('progress' in payload) this.progress.push(payload.progress);
  }
}
