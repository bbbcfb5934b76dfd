import type { Account } from '../../core/account';
import { isAbort, toErrorData } from '../../core/errors';
import type { ConnectionReport } from '../../core/protocol';
import type { Engine } from '../engine';

/** One connection test at a time; a new one ends the one before. */
export class ConnectionTest {
  readonly #engine: Pick<Engine, 'call'>;
  #report = $state.raw<ConnectionReport | null>(null);
  #isRunning = $state(false);
  #controller: AbortController | undefined;

  constructor(engine: Pick<Engine, 'call'>) {
    this.#engine = engine;
  }

  /** The last result, until the next test begins. */
  get report(): ConnectionReport | null {
    return this.#report;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Asks the server as `account` would. `key: null` uses the stored one. Never throws: a failure is a report. */
  async run(account: Account, key: string | null): Promise<void> {
    this.stop();
    const controller = new AbortController();
    this.#controller = controller;
    this.#report = null;
    this.#isRunning = true;
    try {
      this.#report = await this.#engine.call('test-connection', { account, key }, controller.signal);
    } catch (error) {
      if (!isAbort(error)) this.#report = { ok: false, models: [], error: toErrorData(error), durationMs: 0 };
    } finally {
      if (this.#controller === controller) this.#isRunning = false;
    }
  }

  /** Ends a running test; nothing is reported of it. */
  stop(): void {
    this.#controller?.abort();
    this.#controller = undefined;
    this.#isRunning = false;
  }
}
