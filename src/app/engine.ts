import { Peer, type Handlers, type Listener } from '../bridge/rpc';
import { AppError, toErrorData } from '../core/errors';
import type { Commands, Events, PageCalls } from '../core/protocol';

/** A worker that died before it could do anything may die again at once: each such death in a row doubles the wait for the next start. */
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** The page's side of the generation worker: starts it, restarts it when it died, and holds the port. */
export class Engine {
  readonly #pageCalls: Handlers<PageCalls>;
  readonly #listeners = new Set<Listener<Events>>();
  readonly #restartListeners = new Set<(error: AppError) => void>();
  #peer: Peer<Commands, PageCalls, Record<never, never>, Events> | undefined;
  #worker: Worker | undefined;
  #failedStarts = 0;
  /** Resolves when the next worker is there, while one is on its way. */
  #starting: Promise<void> | undefined;

  constructor(pageCalls: Handlers<PageCalls>) {
    this.#pageCalls = pageCalls;
  }

  /** Starts the worker. Calls made before it is ready wait in the port. */
  start(): void {
    const name = `generation-${crypto.randomUUID()}`;
    const worker = new Worker(new URL('../worker/generation.ts', import.meta.url), { type: 'module', name });
    this.#worker = worker;
    let isReady = false;
    this.#peer = new Peer(worker, this.#pageCalls, (event, payload) => {
      if (event === 'ready') {
        isReady = true;
        this.#failedStarts = 0;
        void this.#noticeDeath(name, worker);
      }
      for (const listener of this.#listeners) listener(event, payload);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      if (this.#worker !== worker) return;
      // One whose script can't be loaded or run never becomes ready. Later, a fault of one task is told and the others go on.
      if (!isReady) this.#restart(worker);
      else this.#tell(new AppError('internal', { details: { stack: event.message } }));
    });
  }

  /** Runs a command in the worker. Throws its AppError, `worker-died` when it ended meanwhile, or the signal's reason. */
  async call<K extends keyof Commands & string>(name: K, args: Commands[K]['args'], signal?: AbortSignal): Promise<Commands[K]['result']> {
    // Whoever repeats a command that its worker did not live to answer does so before the next worker is there.
    await this.#starting;
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

  #tell(error: AppError): void {
    for (const listener of this.#listeners) listener('notice', { error: toErrorData(error), conversationId: null });
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
    this.#worker = undefined;
    const delayMs = this.#failedStarts === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (this.#failedStarts - 1), MAX_DELAY_MS);
    this.#failedStarts += 1;
    const starting = new Promise<void>((resolve) => {
      setTimeout(() => {
        this.#starting = undefined;
        this.start();
        resolve();
        for (const listener of this.#restartListeners) listener(error);
      }, delayMs);
    });
    // Nobody is kept waiting for one that is put off.
    if (delayMs === 0) this.#starting = starting;
    this.#peer?.close(error);
  }
}
