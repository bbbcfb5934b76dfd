import type { Account } from '../../core/account';
import { checkUserHeaders } from '../../outbound/host-policy';
import { parseJson } from '../../outbound/json';
import type { ProviderIo } from '../provider';

/** A list of models is small; a server that needs longer is not going to answer. */
const LIST_TIMEOUT_MS = 30_000;

/** The most models that a page of a list holds. */
export const LIST_PAGE_SIZE = 1_000;

/** No list has so many pages; a server that says so repeats itself. */
export const MAX_LIST_PAGES = 20;

/** Where and with which headers to ask. */
export interface Connection {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of those that the user set, lower case. */
  readonly ownHeaders: readonly string[];
}

/** The user's headers win over a protocol's own (named in lower case), whatever their case. Throws `header-forbidden`. */
export function connect(url: string, builtIn: Readonly<Record<string, string>>, account: Account): Connection {
  const named = account.headers.filter((header) => header.name.trim() !== '');
  checkUserHeaders(named);
  const own = Object.fromEntries(named.map(({ name, value }) => [name.toLowerCase(), value]));
  return { url, headers: { ...builtIn, ...own }, ownHeaders: Object.keys(own) };
}

/** One page of a server's list of models, `undefined` where it is no JSON. Throws what the gate throws. */
export async function fetchListPage(
  { url, headers, ownHeaders }: Connection,
  query: Readonly<Record<string, string>>,
  io: ProviderIo,
): Promise<unknown> {
  const search = new URLSearchParams(query).toString();
  const response = await io.gate.fetch(`${url}/models${search === '' ? '' : `?${search}`}`, {
    purpose: 'model-list',
    headers,
    ownHeaders,
    signal: io.signal,
    expect: 'json',
    timeoutMs: LIST_TIMEOUT_MS,
  });
  return parseJson(await response.text());
}
