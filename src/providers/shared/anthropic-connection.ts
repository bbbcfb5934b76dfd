import type { Account } from '../../core/account';
import { normaliseBaseUrl } from '../../outbound/address';
import { checkUserHeaders } from '../../outbound/host-policy';

/** Where and with which headers to ask. */
export interface Connection {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of those that the user set, lower case. */
  readonly ownHeaders: readonly string[];
}

/** The one version of the protocol that there is. */
const VERSION = '2023-06-01';

/**
 * The user's headers win over ours, whatever their case; without a key there is no key header, and never an `authorization` of ours: some
 * relays refuse two. Throws `address-invalid` and `header-forbidden`.
 */
export function connectionOf(account: Account, key: string | null): Connection {
  const named = account.headers.filter((header) => header.name.trim() !== '');
  checkUserHeaders(named);
  const own = Object.fromEntries(named.map(({ name, value }) => [name.toLowerCase(), value]));
  const builtIn = {
    accept: 'application/json',
    'anthropic-version': VERSION,
    // Without it the host refuses every page.
    'anthropic-dangerous-direct-browser-access': 'true',
    ...(key === null ? {} : { 'x-api-key': key }),
  };
  return { url: messagesBaseUrl(account.baseUrl), headers: { ...builtIn, ...own }, ownHeaders: Object.keys(own) };
}

/**
 * The base below which `messages` and `models` lie, from what a user pastes. Documentation of this protocol names bases without their
 * version, so `/v1` is added wherever no version and no endpoint was given. Throws `address-invalid`.
 */
export function messagesBaseUrl(input: string): string {
  const base = normaliseBaseUrl(input);
  const isEndpoint = /\/(messages|models)\/*([?#]|$)/i.test(input.trim());
  return isEndpoint || /\/v\d+[a-z\d]*$/i.test(base) ? base : `${base}/v1`;
}
