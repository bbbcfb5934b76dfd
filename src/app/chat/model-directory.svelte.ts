import { chatModels, type Account, type ModelInfo } from '../../core/account';
import type { ModelReference } from '../../core/node';
import { listAccounts } from '../../storage/accounts';
import type { JackdawDatabase } from '../../storage/db';
import { readModelList } from '../../storage/model-lists';
import type { Engine } from '../engine';
import { LiveQuery } from '../state/live-query.svelte';

export interface AccountModels {
  readonly account: Account;
  /** Those that can chat; null until its server was asked. */
  readonly models: readonly ModelInfo[] | null;
}

/** All accounts with the models they last listed, as stored. */
export class ModelDirectory {
  readonly #engine: Pick<Engine, 'call'>;
  readonly #query: LiveQuery<readonly AccountModels[]>;
  #refreshing = $state.raw<readonly string[]>([]);
  #failed = $state.raw<readonly string[]>([]);

  constructor(database: JackdawDatabase, engine: Pick<Engine, 'call'>, onError: (error: unknown) => void) {
    this.#engine = engine;
    this.#query = new LiveQuery(async () => {
      const accounts = await listAccounts(database);
      return Promise.all(
        accounts.map(async (account) => {
          const listed = await readModelList(database, account.id);
          return { account, models: listed === undefined ? null : chatModels(listed) };
        }),
      );
    }, onError);
  }

  /** Undefined until they are read. */
  get accounts(): readonly AccountModels[] | undefined {
    return this.#query.current;
  }

  /** Ids of accounts whose server is being asked. */
  get refreshing(): readonly string[] {
    return this.#refreshing;
  }

  /** Ids of accounts whose last asking failed. */
  get failed(): readonly string[] {
    return this.#failed;
  }

  /** The model's own name, or its id where no list names it. */
  nameOf(reference: ModelReference): string {
    const entry = this.accounts?.find(({ account }) => account.id === reference.accountId);
    return entry?.models?.find((model) => model.id === reference.modelId)?.name ?? reference.modelId;
  }

  /** Asks the account's server again. Never throws: a failure puts the account among `failed`. */
  async refresh(accountId: string): Promise<void> {
    if (this.#refreshing.includes(accountId)) return;
    this.#refreshing = [...this.#refreshing, accountId];
    this.#failed = without(this.#failed, accountId);
    try {
      await this.#engine.call('list-models', { accountId, refresh: true });
    } catch {
      // The list says so itself; why is asked for in the account's settings, with its connection test.
      this.#failed = [...this.#failed, accountId];
    } finally {
      this.#refreshing = without(this.#refreshing, accountId);
    }
  }

  /** Asks every account, or only those that were never asked. */
  async refreshAll(onlyMissing: boolean): Promise<void> {
    const wanted = (this.accounts ?? []).filter(({ models }) => !onlyMissing || models === null);
    await Promise.all(wanted.map(({ account }) => this.refresh(account.id)));
  }
}

function without(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((entry) => entry !== id);
}
