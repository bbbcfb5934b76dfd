import { Peer, type PortLike } from '../../../src/bridge/rpc';
import type { Commands, Events, PageCalls } from '../../../src/core/protocol';
import type { Environment } from '../../../src/generation/environment';
import { assembleWorker } from '../../../src/worker/assemble';
import { commandHandlers } from '../../../src/worker/commands';
import type { WorkerContext } from '../../../src/worker/context';
import { WORKER_LOCK } from '../../../src/worker/locks';
import { recoverAll } from '../../../src/worker/recovery';
import { environmentOver } from '../generation';
import { noLocalModels } from '../no-device';
import type { Browser } from './browser';
import { openKillable, type KillableDatabase } from './killable-database';
import type { Life } from './life';

/** First digit of the ids that workers make. */
const WORKER_IDS = 2;

/** A generation worker: the real code, over connections that can be cut. */
export class SimulatedWorker {
  readonly name: string;
  readonly life: Life;
  readonly #browser: Browser;
  #database: KillableDatabase | undefined;

  /** Starts as `worker/generation.ts` does: commands are taken at once and wait until it is ready. */
  constructor(browser: Browser, name: string, port: PortLike) {
    this.#browser = browser;
    this.name = name;
    this.life = browser.lifeOf(name);
    let isReady: (context: WorkerContext) => void = () => undefined;
    const ready = new Promise<WorkerContext>((resolve) => (isReady = resolve));
    const page = new Peer<PageCalls, Commands, Events, Record<never, never>>(port, commandHandlers(ready), () => undefined);
    this.#start(page, isReady).catch((error: unknown) => {
      if (!this.life.isDead) throw error;
    });
  }

  /** Transactions under way. */
  get busy(): number {
    return this.#database?.busy ?? 0;
  }

  /** It dies without a word, in the middle of whatever it did. */
  kill(): void {
    this.#browser.bury(this.name);
    this.#database?.kill();
  }

  async #start(page: Peer<PageCalls, Commands, Events, Record<never, never>>, isReady: (context: WorkerContext) => void): Promise<void> {
    const browser = this.#browser;
    const { name, life } = this;
    const locks = browser.locksFor(name);
    await locks.acquire(`${WORKER_LOCK}${name}`);
    page.emit('ready', { workerId: name });
    this.#database = await openKillable(browser.databaseName);
    if (life.isDead) this.#database.kill();
    const environment: Environment = {
      ...environmentOver(this.#database.database, browser.model.providerFor(name, life), {
        now: () => browser.clock.now,
        elapsed: () => browser.clock.elapsed,
        newId: () => browser.newId(WORKER_IDS),
        random: () => browser.random(),
        schedule: (ms, callback) => browser.schedule(name, ms, callback),
      }),
      tools: () => Promise.resolve(browser.toolsOf(name)),
    };
    const context = assembleWorker({ name, page, channel: browser.channel(name), locks, environment, localModels: noLocalModels });
    context.neighbours.greet();
    isReady(context);
    await recoverAll(context, locks);
  }
}
