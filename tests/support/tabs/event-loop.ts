import { between } from '../random';
import type { Browser } from './browser';
import type { SimulatedWorker } from './worker';

// Far more than the longest rest needs, so that one which goes on for ever is told from one that is only long.
const MAX_ROUNDS = 3000;
/** Turns of the real event loop in which nothing moves before everything is taken to be done. */
const IDLE_TURNS = 6;

/** Lets things happen in a browser whose parts do nothing by themselves: one at a time, in a random order. */
export class EventLoop {
  readonly #browser: Browser;
  readonly #random: () => number;
  /** Every worker that lives: whoever waits for it to be quiet waits for its transactions. */
  readonly #workers: () => readonly SimulatedWorker[];

  constructor(browser: Browser, random: () => number, workers: () => readonly SimulatedWorker[]) {
    this.#browser = browser;
    this.#random = random;
    this.#workers = workers;
  }

  /** Delivers one message, timer or lock. False: none can arrive. */
  async deliver(): Promise<boolean> {
    const hasMoved = this.#browser.lanes.deliver();
    // Each is a task of its own: what follows from it at once has followed before the next one comes.
    await turns(1);
    return hasMoved;
  }

  /** The model says the next piece of one of its answers. False: nobody asked, or whoever asked is asleep. */
  speak(): boolean {
    return this.#browser.model.speak((count) => between(this.#random, 0, count - 1));
  }

  /** Everything that needs neither time nor a word of the model. */
  async quiet(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS;) {
      const isMoving = (await this.deliver()) || this.#workers().some((worker) => worker.busy > 0);
      idle = isMoving ? 0 : idle + 1;
    }
  }

  /** Everything that can happen, until nothing is left to wait for. False: there is no end of it. */
  async rest(): Promise<boolean> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await this.quiet();
      if (this.speak()) continue;
      const { nextMs } = this.#browser.clock;
      if (nextMs === undefined) return true;
      this.#browser.clock.advance(nextMs);
    }
    return false;
  }
}

/** Lets the real event loop turn so many times. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
