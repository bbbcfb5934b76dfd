import { Peer, type Handlers, type Listener } from '../bridge/rpc';
import { AppError } from '../core/errors';
import type { Commands, Events, PageCalls } from '../core/protocol';

/** Deaths within this time of a start count as a start that failed; after three of those in a row nothing is started again. */
const EARLY_DEATH_MS = 3000;
const MAX_EARLY_DEATHS = 3;

/** The page's side of the generation worker: starts it, restarts it when it died, and holds the port. */
export class Engine {
  readonly #pageCalls: Handlers<PageCalls>;
  readonly #listeners = new Set<Listener<Events>>();
  readonly #restartListeners = new Set<(error: AppError) => void>();
  #peer: Peer<Commands, PageCalls, Record<never, never>, Events> | undefined;
  #worker: Worker | undefined;
  #startedAt = 0;
  #earlyDeaths = 0;

  constructor(pageCalls: Handlers<PageCalls>) {
    this.#pageCalls = pageCalls;
  }

  /** Starts the worker. Calls made before it is ready wait in the port. */
  start(): void {
    const name = `generation-${crypto.randomUUID()}`;
    const worker = new Worker(new URL('../worker/generation.ts', import.meta.url), { type: 'module', name });
    this.#worker = worker;
    this.#startedAt = Date.now();
    this.#peer = new Peer(worker, this.#pageCalls, (event, payload) => {
      if (event === 'ready') void this.#noticeDeath(name, worker);
      for (const listener of this.#listeners) listener(event, payload);
    });
    // A worker whose script can't be loaded or parsed never becomes ready; it says so here.
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.#restart(worker);
    });
  }

  /** Runs a command in the worker. Throws its AppError, `worker-died` when it ended meanwhile, or the signal's reason. */
  async call<K extends keyof Commands & string>(name: K, args: Commands[K]['args'], signal?: AbortSignal): Promise<Commands[K]['result']> {
    if (this.#peer === undefined) throw new AppError('worker-died');
    return this.#peer.call(name, args, signal);
  }

  /** Hears every event of the worker until the returned function is called. */
  listen(listener: Listener<Events>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called with the reason each time the worker died; it has been started again by then. */
  onRestart(listener: (error: AppError) => void): () => void {
    this.#restartListeners.add(listener);
    return () => this.#restartListeners.delete(listener);
  }

  /** A worker holds a lock for its lifetime: whoever gets the same lock knows that it is gone. No heartbeat, no time-out. */
  async #noticeDeath(name: string, worker: Worker): Promise<void> {
    await navigator.locks.request(`worker:${name}`, () => {
      if (this.#worker === worker) this.#restart(worker);
    });
  }

  #restart(worker: Worker): void {
    const error = new AppError('worker-died', { retryable: true });
    worker.terminate();
    this.#earlyDeaths = Date.now() - this.#startedAt < EARLY_DEATH_MS ? this.#earlyDeaths + 1 : 0;
    this.#peer?.close(error);
    if (this.#earlyDeaths < MAX_EARLY_DEATHS) this.start();
    for (const listener of this.#restartListeners) listener(error);
  }
}
