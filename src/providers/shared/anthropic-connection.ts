import type { Account } from '../../core/account';
import { normaliseBaseUrl } from '../../outbound/address';
import { connect, type Connection } from './connection';

/** The one version of the protocol that there is. */
const VERSION = '2023-06-01';

/**
 * Without a key there is no key header, and never an `authorization` of ours: some
 * relays refuse two. Throws `address-invalid` and `header-forbidden`.
 */
export function connectionOf(account: Account, key: string | null): Connection {
  const builtIn = {
    accept: 'application/json',
    'anthropic-version': VERSION,
    // Without it the host refuses every page.
    'anthropic-dangerous-direct-browser-access': 'true',
    ...(key === null ? {} : { 'x-api-key': key }),
  };
  return connect(messagesBaseUrl(account.baseUrl), builtIn, account);
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
