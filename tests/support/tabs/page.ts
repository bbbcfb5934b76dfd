import { Peer } from '../../../src/bridge/rpc';
import { AppError } from '../../../src/core/errors';
import type { Commands, Events, PageCalls } from '../../../src/core/protocol';
import { WORKER_LOCK } from '../../../src/worker/locks';
import type { Browser } from './browser';
import type { Life } from './life';
import { ShownConversation } from './shown';
import { SimulatedWorker } from './worker';
import type { Witness } from './witness';

/** A tab's page: it starts its worker, starts it again when it died, and shows one conversation. */
export class SimulatedPage {
  readonly name: string;
  readonly life: Life;
  readonly #browser: Browser;
  readonly #witness: Witness;
  #workers = 0;
  #isReady = false;
  #worker: SimulatedWorker;
  #peer: Peer<Commands, PageCalls, Record<never, never>, Events>;
  #shown: ShownConversation | null = null;
  /** Commands that were not answered yet. */
  pending = 0;

  constructor(browser: Browser, name: string, witness: Witness) {
    this.#browser = browser;
    this.#witness = witness;
    this.name = name;
    this.life = browser.bear(name);
    [this.#worker, this.#peer] = this.#startWorker();
  }

  get shown(): ShownConversation | null {
    return this.#shown;
  }

  get worker(): SimulatedWorker {
    return this.#worker;
  }

  /** Shows a conversation from now on. */
  open(conversationId: string): void {
    if (this.#shown !== null) return;
    const shown = new ShownConversation(conversationId, {
      watch: () => this.#peer.call('watch', { conversationId }),
      onShown: (live) => this.#witness.shown(this.name, live),
      // A dead worker is started again, and then it watches anew.
      onRefused: (error) => {
        if (!isDeath(error)) this.#witness.refused(this.name, 'watch', error);
      },
    });
    this.#shown = shown;
    void shown.watch();
    this.refresh();
  }

  /** Asks anew how the run stands, as a reader does who comes back to the conversation. */
  look(): void {
    void this.#shown?.watch();
  }

  /** Reads the stored branch anew. */
  refresh(): void {
    const shown = this.#shown;
    if (shown === null) return;
    void this.#witness.glance(shown.conversationId).then((nodes) => {
      if (!this.life.isDead) shown.read(nodes);
    });
  }

  /** Runs a command as the page would; resolves null where it was refused or its worker died. */
  async run<K extends keyof Commands & string>(name: K, args: Commands[K]['args']): Promise<Commands[K]['result'] | null> {
    this.pending += 1;
    try {
      return await this.#callTwice(name, args);
    } catch (error) {
      this.#witness.refused(this.name, name, error);
      return null;
    } finally {
      this.pending -= 1;
      this.refresh();
    }
  }

  /** Its worker dies alone. One that does not hold its lock yet is not known to live, so nobody would miss it. */
  killWorker(): void {
    if (this.#isReady) this.#worker.kill();
  }

  /** The tab is gone, page and worker at once. */
  kill(): void {
    this.#worker.kill();
    this.#browser.bury(this.name);
  }

  /** The browser stops everything in the tab, and may give its locks to others. */
  freeze(takesLocks: boolean): void {
    this.life.freeze();
    this.#worker.life.freeze();
    if (takesLocks) this.#browser.rob(this.#worker.name);
  }

  thaw(): void {
    this.life.thaw();
    this.#worker.life.thaw();
  }

  /** A message whose worker died is sent once more under the same id; nothing else is repeated. */
  async #callTwice<K extends keyof Commands & string>(name: K, args: Commands[K]['args']): Promise<Commands[K]['result']> {
    try {
      return await this.#peer.call(name, args);
    } catch (error) {
      if (name !== 'send' || !isDeath(error)) throw error;
      return await this.#peer.call(name, args);
    }
  }

  #startWorker(): [SimulatedWorker, Peer<Commands, PageCalls, Record<never, never>, Events>] {
    const name = `${this.name}${++this.#workers}`;
    this.#isReady = false;
    const life = this.#browser.bear(name);
    const ports = this.#browser.lanes.ports(name, this.life, life);
    const worker = new SimulatedWorker(this.#browser, name, ports.worker);
    const peer = new Peer<Commands, PageCalls, Record<never, never>, Events>(
      ports.page,
      {
        'window-fetch': async () => ({ status: 500, headers: {}, body: null }),
        'browser-model': async () => Promise.reject(new AppError('model-load-failed')),
      },
      (event, payload) => {
        if (event === 'ready') {
          this.#isReady = true;
          void this.#noticeDeath(name);
        } else this.#hear(event, payload);
      },
    );
    return [worker, peer];
  }

  /** Whoever gets the worker's lock knows that it is gone. */
  async #noticeDeath(worker: string): Promise<void> {
    const release = await this.#browser.locksFor(this.name).acquire(`${WORKER_LOCK}${worker}`);
    release();
    if (this.#worker.name !== worker) return;
    this.#worker.kill();
    const peer = this.#peer;
    [this.#worker, this.#peer] = this.#startWorker();
    peer.close(new AppError('worker-died', { retryable: true }));
    if (this.#shown !== null) void this.#shown.watch();
  }

  #hear<K extends keyof Events>(name: K, payload: Events[K]): void {
    if (isNotice(name, payload)) this.#witness.noticed(this.name, payload);
    const before = this.#shown?.live ?? null;
    this.#shown?.hear(name, payload);
    if (name === 'run-end' && 'endedAt' in payload) {
      this.#witness.ended(this.name, payload, before);
      this.refresh();
    }
  }
}

function isDeath(error: unknown): boolean {
  return error instanceof AppError && error.code === 'worker-died';
}

function isNotice(name: string, payload: unknown): payload is Events['notice'] {
  return name === 'notice' && payload !== null;
}
