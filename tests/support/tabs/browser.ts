import type { Locks } from '../../../src/generation/sessions';
import type { AnyTool, ToolOutcome } from '../../../src/tools/tool';
import type { Channel } from '../../../src/worker/neighbours';
import { ManualClock } from '../generation';
import { FakeLocks } from '../locks';
import { Lanes } from './lanes';
import { Life } from './life';
import { TalkativeModel, type Request } from './talkative-model';

export interface ToolRun {
  readonly name: string;
  readonly callId: string;
  readonly worker: string;
}

export interface BrowserOptions {
  readonly databaseName: string;
  /** Sets the ids of one browser apart from those of another over the same database. */
  readonly serial: number;
  readonly random: () => number;
  readonly onRequest: (request: Request) => void;
}

/** What all tabs share: the database, the locks, the channel, the time, the model. Nothing in it moves unless it is told to. */
export class Browser {
  readonly databaseName: string;
  readonly random: () => number;
  readonly clock = new ManualClock();
  readonly lanes: Lanes;
  readonly locks: FakeLocks;
  readonly model: TalkativeModel;
  readonly #serial: number;
  readonly #lives = new Map<string, Life>();
  readonly #robbed = new Set<string>();
  /** Every call that ran, in whichever tab. */
  readonly toolRuns: ToolRun[] = [];
  readonly #ears = new Map<string, (event: MessageEvent<unknown>) => void>();
  #ids = 0;

  constructor({ databaseName, serial, random, onRequest }: BrowserOptions) {
    this.databaseName = databaseName;
    this.#serial = serial;
    this.random = random;
    this.lanes = new Lanes(random);
    this.model = new TalkativeModel(random, onRequest);
    this.locks = new FakeLocks((name, task) => {
      this.lanes.post(`locks to ${name}`, this.lifeOf(name), task);
    });
  }

  /** The tools of one worker: `note` runs by itself, `pay` only with the user's word. Each takes its time, in which anything may happen. */
  toolsOf(worker: string): readonly AnyTool[] {
    const life = this.lifeOf(worker);
    const run = async (name: string, callId: string): Promise<ToolOutcome> => {
      // A worker that died while it was about to run something runs nothing.
      if (life.isDead) await new Promise(() => undefined);
      this.toolRuns.push({ name, callId, worker });
      await new Promise<void>((resolve) => this.schedule(worker, 50, resolve));
      return { text: `${name} done` };
    };
    return (['note', 'pay'] as const).map((name) => ({
      name,
      group: 'session',
      approval: name === 'pay' ? 'ask' : 'never',
      isAgentTool: false,
      description: name,
      parameters: { type: 'object', properties: {} },
      available: () => true,
      check: () => undefined,
      call: async (_args, { callId }) => run(name, callId),
    }));
  }

  /** A new worker or page. */
  bear(name: string): Life {
    const life = new Life();
    this.#lives.set(name, life);
    return life;
  }

  /** The end of a worker or page: its locks are free, and nothing on its way to it arrives. What it said before is still heard. */
  bury(name: string): void {
    this.lifeOf(name).die();
    this.#ears.delete(name);
    this.locks.kill(name);
    this.lanes.bury();
  }

  /** The browser takes the locks of a worker that it froze; the worker learns nothing of it. */
  rob(name: string): void {
    this.#robbed.add(name);
    this.locks.revoke(name);
  }

  isRobbed(name: string): boolean {
    return this.#robbed.has(name);
  }

  lifeOf(name: string): Life {
    const life = this.#lives.get(name);
    if (life === undefined) throw new Error(`nobody is called ${name}`);
    return life;
  }

  /** The shared channel as one worker has it: everybody hears everybody else, in plain data. */
  channel(name: string): Channel {
    const life = this.lifeOf(name);
    return {
      postMessage: (message) => {
        if (life.isDead) return;
        const data: unknown = structuredClone(message);
        this.#onceAwake(name, () => {
          this.#broadcast(name, data);
        });
      },
      addEventListener: (_type, listener) => this.#ears.set(name, listener),
    };
  }

  /** The locks as one worker or page has them. */
  locksFor(name: string): Locks {
    const locks = this.locks.forWorker(name);
    const later = <T>(ask: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        this.#onceAwake(name, () => void ask().then(resolve, reject));
      });
    return {
      tryAcquire: (lock) => later(() => locks.tryAcquire(lock)),
      acquire: (lock) => later(() => locks.acquire(lock)),
      whenFree: (lock) => later(() => locks.whenFree(lock)),
      holder: (lock) => later(() => locks.holder(lock)),
    };
  }

  #broadcast(from: string, data: unknown): void {
    for (const [name, hear] of this.#ears) {
      if (name === from) continue;
      this.lanes.post(`${from} to ${name}`, this.lifeOf(name), () => {
        hear(new MessageEvent('message', { data }));
      });
    }
  }

  /** A frozen tab asks nobody anything, though its code can't be held in the middle: what it would do waits until it thaws. */
  #onceAwake(name: string, task: () => void): void {
    const life = this.lifeOf(name);
    if (life.isFrozen) this.lanes.post(`sleep of ${name}`, life, task);
    else task();
  }

  /** Timers of one worker: a dead one's never ring, a frozen one's ring when it thaws. */
  schedule(name: string, ms: number, callback: () => void): () => void {
    const life = this.lifeOf(name);
    let isCancelled = false;
    const cancel = this.clock.schedule(ms, () => {
      this.lanes.post(`timers of ${name}`, life, () => {
        if (!isCancelled) callback();
      });
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** A UUID that nobody else has. `kind` is its first digit. */
  newId(kind: number): string {
    const first = (kind * 0x1000_0000 + this.#serial).toString(16).padStart(8, '0');
    return `${first}-0000-4000-8000-${(++this.#ids).toString(16).padStart(12, '0')}`;
  }
}
