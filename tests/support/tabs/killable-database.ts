import { JackdawDatabase } from '../../../src/storage/db';

/** A connection of a worker that can die. */
export interface KillableDatabase {
  readonly database: JackdawDatabase;
  /** Transactions that have not ended. */
  readonly busy: number;
  /** Takes back what is under way, as the browser does; nothing more gets through this connection. */
  kill(): void;
}

/** One that has just ended can't be taken back. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
  }
}

export async function openKillable(name: string): Promise<KillableDatabase> {
  const database = new JackdawDatabase(name);
  const open = new Set<IDBTransaction>();
  let isDead = false;
  database.use({
    stack: 'dbcore',
    name: 'killable',
    create: (core) => ({
      ...core,
      transaction: (stores, mode, options) => {
        if (isDead) throw new Error('the worker is dead');
        const transaction = core.transaction(stores, mode, options);
        if (!(transaction instanceof IDBTransaction)) throw new Error('not a transaction');
        open.add(transaction);
        for (const event of ['complete', 'abort'] as const) {
          transaction.addEventListener(event, () => open.delete(transaction));
        }
        return transaction;
      },
    }),
  });
  await database.open();
  return {
    database,
    get busy() {
      return open.size;
    },
    kill: () => {
      isDead = true;
      for (const transaction of open) abort(transaction);
      // The library holds on to every connection that is open.
      database.close();
    },
  };
}
