import type { PortLike } from '../../../src/bridge/rpc';
import type { Life } from './life';

/** One in so many lanes is slow, and what is slow is passed over so often. */
const SLOW_LANES = 0.2;
const SLOWNESS = 0.85;

interface Lane {
  readonly to: Life;
  readonly isSlow: boolean;
  readonly tasks: (() => void)[];
}

/**
 * Everything on its way between pages, workers, locks and clocks: in order within one lane, in any order otherwise. Nothing arrives by
 * itself; whoever plays the event loop delivers it.
 */
export class Lanes {
  readonly #random: () => number;
  readonly #lanes = new Map<string, Lane>();
  readonly #slow = new Map<string, boolean>();

  constructor(random: () => number) {
    this.#random = random;
  }

  post(lane: string, to: Life, task: () => void): void {
    if (to.isDead) return;
    const known = this.#lanes.get(lane);
    if (known === undefined) this.#lanes.set(lane, { to, isSlow: this.#isSlow(lane), tasks: [task] });
    else known.tasks.push(task);
  }

  /** Delivers the oldest of some lane. False: nothing can arrive now. */
  deliver(): boolean {
    const awake = [...this.#lanes].filter(([, lane]) => lane.to.isAwake);
    const quick = awake.filter(([, lane]) => !lane.isSlow);
    const ready = quick.length > 0 && this.#random() < SLOWNESS ? quick : awake;
    const [name, lane] = ready[Math.floor(this.#random() * ready.length)] ?? [];
    if (name === undefined || lane === undefined) return false;
    const task = lane.tasks.shift();
    if (lane.tasks.length === 0) this.#lanes.delete(name);
    task?.();
    return true;
  }

  /** Forgets what was on its way to the dead. */
  bury(): void {
    for (const [name, lane] of this.#lanes) if (lane.to.isDead) this.#lanes.delete(name);
  }

  #isSlow(lane: string): boolean {
    const isSlow = this.#slow.get(lane) ?? this.#random() < SLOW_LANES;
    this.#slow.set(lane, isSlow);
    return isSlow;
  }

  /** The two ends of a port between a page and its worker. What the dead say is not heard. */
  ports(name: string, page: Life, worker: Life): { page: PortLike; worker: PortLike } {
    const pageEars = new Set<(event: MessageEvent<unknown>) => void>();
    const workerEars = new Set<(event: MessageEvent<unknown>) => void>();
    const end = (
      ears: Set<(event: MessageEvent<unknown>) => void>,
      lane: string,
      [from, to]: readonly [Life, Life],
      others: ReadonlySet<(event: MessageEvent<unknown>) => void>,
    ): PortLike => ({
      postMessage: (message) => {
        if (from.isDead) return;
        const data: unknown = structuredClone(message);
        this.post(lane, to, () => {
          for (const hear of others) hear(new MessageEvent('message', { data }));
        });
      },
      addEventListener: (_type, listener) => ears.add(listener),
      removeEventListener: (_type, listener) => ears.delete(listener),
    });
    return {
      page: end(pageEars, `${name}: page to worker`, [page, worker], workerEars),
      worker: end(workerEars, `${name}: worker to page`, [worker, page], pageEars),
    };
  }
}
