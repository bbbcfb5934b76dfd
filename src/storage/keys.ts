import { AppError } from '../core/errors';
import type { AccountRow, JackdawDatabase } from './db';
import { stored } from './open';

const ALGORITHM = { name: 'AES-GCM', length: 256 } as const;
/** The size that AES-GCM is made for; a new one for every wrapping. */
const IV_BYTES = 12;

type WrappedKey = NonNullable<AccountRow['wrappedKey']>;

/** Encrypts an account's key so that it can be opened in this browser profile only, and for this account only. Call outside transactions. */
export async function wrapKey(database: JackdawDatabase, accountId: string, key: string): Promise<WrappedKey> {
  const wrapping = await wrappingKey(database);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bytes = await crypto.subtle.encrypt(parametersOf(iv, accountId), wrapping, new TextEncoder().encode(key));
  return { iv, bytes };
}

/** The key again. Throws `key-unreadable` where it was wrapped elsewhere or is damaged. Call outside transactions. */
export async function unwrapKey(database: JackdawDatabase, accountId: string, wrapped: WrappedKey): Promise<string> {
  const row = await stored(database, () => database.keys.get('accounts'));
  if (row === undefined) throw new AppError('key-unreadable', { details: { accountId } });
  try {
    const bytes = await crypto.subtle.decrypt(parametersOf(wrapped.iv, accountId), row.key, wrapped.bytes);
    return new TextDecoder().decode(bytes);
  } catch (cause) {
    throw new AppError('key-unreadable', { details: { accountId }, cause });
  }
}

/** The one wrapping key; two tabs that make one at once both end with the one that was stored first. */
async function wrappingKey(database: JackdawDatabase): Promise<CryptoKey> {
  const present = await stored(database, () => database.keys.get('accounts'));
  if (present !== undefined) return present.key;
  const made = await crypto.subtle.generateKey(ALGORITHM, false, ['encrypt', 'decrypt']);
  return stored(database, () =>
    database.transaction('rw', [database.keys], async () => {
      const earlier = await database.keys.get('accounts');
      if (earlier !== undefined) return earlier.key;
      await database.keys.add({ id: 'accounts', key: made });
      return made;
    }),
  );
}

/** The account's id is authenticated with the key, so that wrapped bytes moved to another account don't open. */
function parametersOf(iv: Uint8Array<ArrayBuffer>, accountId: string) {
  return { name: ALGORITHM.name, iv, additionalData: new TextEncoder().encode(accountId) };
}
