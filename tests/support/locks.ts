import type { Locks } from '../../src/generation/sessions';

interface Waiter {
  readonly worker: string;
  readonly grant: () => void;
}

/**
 * Locks within one process, as the browser keeps them: one holder a name, the others wait in order, and a worker's death frees what it
 * held. Each worker of a test gets its own view of them.
 */
export class FakeLocks {
  readonly #holders = new Map<string, string>();
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #watching = new Map<string, Waiter[]>();
  readonly #dead = new Set<string>();
  readonly #tell: (worker: string, task: () => void) => void;

  /** `tell` brings an answer to a worker, which may take its time. */
  constructor(tell: (worker: string, task: () => void) => void = (_worker, task) => queueMicrotask(task)) {
    this.#tell = tell;
  }

  forWorker(worker: string): Locks {
    return {
      tryAcquire: async (name) =>
        new Promise((resolve) => {
          if (this.#dead.has(worker)) return;
          const isFree = !this.#holders.has(name);
          if (isFree) this.#holders.set(name, worker);
          this.#tell(worker, () => {
            resolve(isFree ? this.#releaseOnce(name, worker) : null);
          });
        }),
      acquire: async (name) =>
        new Promise((resolve) => {
          if (this.#dead.has(worker)) return;
          const grant = (): void => {
            this.#holders.set(name, worker);
            this.#tell(worker, () => {
              resolve(this.#releaseOnce(name, worker));
            });
          };
          if (!this.#holders.has(name)) grant();
          else this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), { worker, grant }]);
        }),
      whenFree: async (name) =>
        new Promise((resolve) => {
          if (this.#dead.has(worker)) return;
          const grant = (): void => {
            this.#tell(worker, resolve);
          };
          if (!this.#holders.has(name)) grant();
          else this.#watching.set(name, [...(this.#watching.get(name) ?? []), { worker, grant }]);
        }),
      holder: async (name) =>
        new Promise((resolve) => {
          const holder = this.holderOf(name);
          this.#tell(worker, () => {
            resolve(holder);
          });
        }),
    };
  }

  /** Who holds a lock at this moment. */
  holderOf(name: string): string | null {
    return this.#holders.get(name) ?? null;
  }

  /** Names of the locks that are held, in no order. */
  get held(): readonly string[] {
    return [...this.#holders.keys()];
  }

  /** The worker dies: everything it held is free, and nothing that it asks is answered any more. */
  kill(worker: string): void {
    this.#dead.add(worker);
    for (const [name, waiters] of this.#waiting) {
      this.#waiting.set(
        name,
        waiters.filter((waiter) => waiter.worker !== worker),
      );
    }
    this.revoke(worker);
  }

  /** The browser takes from a worker that it froze what it holds. */
  revoke(worker: string): void {
    for (const [name, holder] of [...this.#holders]) if (holder === worker) this.#free(name);
  }

  #releaseOnce(name: string, worker: string): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (this.#holders.get(name) === worker) this.#free(name);
    };
  }

  #free(name: string): void {
    this.#holders.delete(name);
    const [next, ...rest] = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, rest);
    // Who only watches comes after those who queue for it.
    if (next !== undefined) return next.grant();
    const watching = this.#watching.get(name) ?? [];
    this.#watching.delete(name);
    for (const { grant } of watching) grant();
  }
}
