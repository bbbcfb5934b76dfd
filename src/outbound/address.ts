import { AppError } from '../core/errors';

/** Where a host lies, as the browser's local network rules see it. */
export type AddressSpace = 'loopback' | 'private' | 'public';

/** The ends of paths that people paste from documentation; the base lies before them. */
const ENDPOINT_PATH = /\/(chat\/completions|completions|responses|models|embeddings|messages)$/i;

/** Hosts whose interface begins at the root. */
const ROOT_HOSTS: readonly string[] = ['api.perplexity.ai'];

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Whether the host is this machine itself. `hostname` as `URL.hostname` gives it, IPv6 in brackets. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  // 0.0.0.0 is what many local servers print as their address; connecting to it reaches this machine.
  return /^127(\.\d{1,3}){3}$/.test(host) || host === '0.0.0.0' || host === '[::1]' || host === '[::]' || host.startsWith('[::ffff:7f');
}

/** Whether the host lies in a private network: reserved ranges, link-local, `.local` and names without a dot. Not loopback. */
export function isPrivateAddress(hostname: string): boolean {
  const host = hostname.toLowerCase();
  if (isLoopback(host)) return false;
  if (host.startsWith('[')) return /^\[f[cd][0-9a-f]{2}:|^\[fe[89ab][0-9a-f]:/.test(host);
  const octets = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(host);
  if (octets === null) return host.endsWith('.local') || host.endsWith('.home.arpa') || !host.includes('.');
  const first = Number(octets[1]);
  const second = Number(octets[2]);
  return (
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254) ||
    (first === 100 && second >= 64 && second <= 127)
  );
}

/** The address space of a host, by its name alone: nothing is resolved. */
export function addressSpace(hostname: string): AddressSpace {
  if (isLoopback(hostname)) return 'loopback';
  return isPrivateAddress(hostname) ? 'private' : 'public';
}

/** A URL that may be requested. Throws `address-invalid` unless it is http(s), absolute and carries no name or password. */
export function parseHttpUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new AppError('address-invalid', { details: { address: text.slice(0, 200) }, cause });
  }
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isHttp || url.username !== '' || url.password !== '') {
    throw new AppError('address-invalid', { details: { address: `${url.protocol}//${url.host}` } });
  }
  return url;
}

/**
 * The base of an OpenAI-compatible server from what a user pastes: scheme added where missing (http on this machine and in private
 * networks, https elsewhere), endpoint path, query and trailing slashes cut, `/v1` added where only a host or `/api` was given. Any
 * other path is kept, so version paths of other forms stay. Throws `address-invalid`.
 */
export function normaliseBaseUrl(input: string): string {
  const text = input.trim();
  const url = parseHttpUrl(SCHEME.test(text) ? text : guessScheme(text));
  let path = url.pathname.replace(/\/+$/, '');
  path = path.replace(ENDPOINT_PATH, '').replace(/\/+$/, '');
  if ((path === '' && !ROOT_HOSTS.includes(url.hostname)) || path === '/api') path += '/v1';
  return `${url.origin}${path}`;
}

function guessScheme(text: string): string {
  const host = /^[^/?#]*/.exec(text)?.[0] ?? '';
  const name = host.startsWith('[') ? host.replace(/\]:\d+$/, ']') : host.replace(/:\d+$/, '');
  return `${addressSpace(name) === 'public' ? 'https' : 'http'}://${text}`;
}
