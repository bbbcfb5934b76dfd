import { AppError } from '../core/errors';

/** Header names that a browser drops from a page's request without a word. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'access-control-request-private-network',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
const FORBIDDEN_PREFIXES = ['proxy-', 'sec-'] as const;

/** Headers that only say who we are. Several hosts refuse the whole request for them. */
const IDENTITY_NAMES: ReadonlySet<string> = new Set(['user-agent', 'x-app-name', 'x-client-name']);
const IDENTITY_PREFIXES = ['x-stainless-', 'x-app-'] as const;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export interface HostPolicy {
  /** The host itself, or its parent domain with a leading dot. */
  readonly host: string;
  /** The only header names the host lets a page send, lower case. */
  readonly allowed: readonly string[];
}

/** Hosts whose preflight knows a fixed list. Anything else of ours is left out there; what the user set by hand is sent. */
export const HOST_POLICIES: readonly HostPolicy[] = [
  {
    host: 'generativelanguage.googleapis.com',
    allowed: ['content-type', 'authorization', 'x-goog-api-key', 'x-goog-api-client'],
  },
  { host: 'openrouter.ai', allowed: ['accept', 'content-type', 'authorization', 'http-referer', 'x-title'] },
  { host: 'api.perplexity.ai', allowed: ['accept', 'content-type', 'authorization'] },
  { host: 'api.fireworks.ai', allowed: ['accept', 'content-type', 'authorization'] },
  { host: '.moonshot.ai', allowed: ['accept', 'content-type', 'authorization'] },
  { host: '.moonshot.cn', allowed: ['accept', 'content-type', 'authorization'] },
];

/** Why the browser would not send a header, or null if it would. */
function headerProblem(name: string, value: string): 'forbidden' | 'invalid' | null {
  const lower = name.toLowerCase();
  if (!TOKEN.test(name) || !isHeaderValue(value)) return 'invalid';
  if (FORBIDDEN_NAMES.has(lower) || FORBIDDEN_PREFIXES.some((prefix) => lower.startsWith(prefix))) return 'forbidden';
  return null;
}

/**
 * Throws `header-forbidden` for the first header of the user that would never arrive: one the browser drops, one that isn't a header,
 * or one that only names a client, which the gate takes out of every request.
 */
export function checkUserHeaders(headers: readonly { readonly name: string; readonly value: string }[]): void {
  for (const { name, value } of headers) {
    const reason = headerProblem(name, value) ?? (isIdentity(name.toLowerCase()) ? 'forbidden' : null);
    if (reason !== null) throw new AppError('header-forbidden', { details: { header: name.slice(0, 100), reason } });
  }
}

/**
 * The headers that leave, names in lower case: identity headers and, at hosts with a fixed list, everything outside it are taken out,
 * except the names in `own` (lower case), which the user set. Throws `header-forbidden` for one that the browser would drop.
 */
export function applyHeaderPolicy(
  headers: Readonly<Record<string, string>>,
  hostname: string,
  own: readonly string[] = [],
): Record<string, string> {
  const policy = HOST_POLICIES.find((entry) => isHost(hostname, entry.host));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (isIdentity(lower)) continue;
    const reason = headerProblem(name, value);
    if (reason !== null) throw new AppError('header-forbidden', { details: { header: name.slice(0, 100), reason } });
    if (policy !== undefined && !policy.allowed.includes(lower) && !own.includes(lower)) continue;
    kept[lower] = value;
  }
  return kept;
}

/** Whether `hostname` is `host`, or lies below it where `host` begins with a dot. */
export function isHost(hostname: string, host: string): boolean {
  const lower = hostname.toLowerCase();
  return host.startsWith('.') ? lower.endsWith(host) || lower === host.slice(1) : lower === host;
}

function isIdentity(lower: string): boolean {
  return IDENTITY_NAMES.has(lower) || IDENTITY_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** A value is bytes in the end: no line breaks, no NUL, nothing beyond Latin-1. */
function isHeaderValue(value: string): boolean {
  return Array.from(value).every((character) => {
    const code = character.codePointAt(0) ?? 0;
    return code === 9 || (code >= 32 && code !== 127 && code <= 255);
  });
}
