import type { Account } from '../core/account';
import { tick } from '../core/clock';
import type { AccountRow, JackdawDatabase } from './db';
import { unwrapKey, wrapKey } from './keys';
import { stored } from './open';
import { noteChanges, plainChange } from './outbox-rows';
import type { Stamp } from './stamp';

/** All accounts in the user's order. Usable as a live query. */
export function listAccounts(database: JackdawDatabase): Promise<readonly Account[]> {
  return stored(database, async () => (await database.accounts.orderBy('position').toArray()).map(accountOf));
}

/** One account, or undefined. Usable as a live query. */
export function readAccount(database: JackdawDatabase, id: string): Promise<Account | undefined> {
  return stored(database, async () => {
    const row = await database.accounts.get(id);
    return row === undefined ? undefined : accountOf(row);
  });
}

/**
 * Saves an account; a new one goes to the end. `key`: a text replaces the stored key, null removes it, undefined leaves it.
 * A text is encrypted first, so this can't be part of a surrounding transaction then.
 */
export async function saveAccount(
  database: JackdawDatabase,
  account: Account,
  key: string | null | undefined,
  stamp: Stamp,
): Promise<void> {
  const { id, hasKey: _hasKey, ...body } = account;
  const wrapped = typeof key === 'string' ? await wrapKey(database, id, key) : undefined;
  await stored(database, () =>
    database.transaction('rw', [database.accounts, database.outbox], async () => {
      const previous = await database.accounts.get(id);
      const wrappedKey = key === undefined ? previous?.wrappedKey : wrapped;
      const position = previous?.position ?? (await nextPosition(database));
      const clock = tick(previous?.clock, stamp.at, stamp.device);
      await database.accounts.put({ id, position, clock, body, ...(wrappedKey === undefined ? {} : { wrappedKey }) });
      await noteChanges(database, [plainChange('account', id, 'put')], stamp.at);
    }),
  );
}

/** Removes an account, its key and its list of models. */
export function deleteAccount(database: JackdawDatabase, id: string, stamp: Stamp): Promise<void> {
  return stored(database, () =>
    database.transaction('rw', [database.accounts, database.modelLists, database.outbox], async () => {
      await database.accounts.delete(id);
      await database.modelLists.delete(id);
      await noteChanges(database, [plainChange('account', id, 'delete')], stamp.at);
    }),
  );
}

/** The key of an account in plain text, or null where none is stored. Throws `key-unreadable`. Call outside transactions. */
export async function readKey(database: JackdawDatabase, accountId: string): Promise<string | null> {
  const row = await stored(database, () => database.accounts.get(accountId));
  return row?.wrappedKey === undefined ? null : unwrapKey(database, accountId, row.wrappedKey);
}

/** The place after the last account. Runs in the caller's transaction. */
export async function nextPosition(database: JackdawDatabase): Promise<number> {
  return ((await database.accounts.orderBy('position').last())?.position ?? -1) + 1;
}

function accountOf(row: AccountRow): Account {
  return { ...row.body, id: row.id, hasKey: row.wrappedKey !== undefined };
}
