import { AppError, type ErrorCode } from '../core/errors';
import { addressSpace, type AddressSpace } from './address';

/** A question that was answered, or not asked. */
export type Probe = 'ok' | 'failed' | 'unknown';

/** What can be known about a request that failed without an answer. `fetch` itself only says that it failed. */
export interface FailureFacts {
  readonly space: AddressSpace;
  readonly isPageSecure: boolean;
  readonly isTargetSecure: boolean;
  readonly isOnline: boolean;
  /** Safari and every browser on iOS block http from https pages even on loopback. */
  readonly isSafari: boolean;
  /** Whether the page itself comes from this machine: it is exempt from the local network permission. */
  readonly isPageLocal: boolean;
  readonly sameOrigin: Probe;
  readonly permission: PermissionState | 'unknown';
  /** The same address asked without CORS: an opaque answer still proves that somebody listens. */
  readonly noCors: Probe;
  /** The same address asked by a plain GET without our headers. */
  readonly plainGet: Probe;
  /** This host is known to answer a wrong key without CORS headers, so that its 401 can't be read. */
  readonly hidesAuthErrors: boolean;
  readonly hasKey: boolean;
  /** The browser stopped the request, not we. */
  readonly wasStopped: boolean;
}

/** What is known right after a failure, before anything was probed. */
export const UNPROBED = {
  isSafari: false,
  sameOrigin: 'unknown',
  permission: 'unknown',
  noCors: 'unknown',
  plainGet: 'unknown',
  hidesAuthErrors: false,
  hasKey: false,
  wasStopped: false,
} as const;

export type FailureCause =
  | 'stopped'
  | 'offline'
  | 'mixed-content'
  | 'local-network'
  | 'key-hidden'
  | 'header-refused'
  | 'origin-refused'
  | 'not-running'
  | 'blocked'
  | 'unknown';

interface CauseRule {
  readonly cause: FailureCause;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly matches: (facts: FailureFacts) => boolean;
}

const isLocal = (facts: FailureFacts): boolean => facts.space !== 'public';

/**
 * In order; the first that fits is the one cause that is told. Being offline never explains a server on this machine. Where a plain GET
 * can be read the origin is allowed, so that something else in the request was refused.
 */
export const CAUSES: readonly CauseRule[] = [
  {
    cause: 'offline',
    code: 'offline',
    retryable: true,
    matches: (is) => !is.isOnline && is.sameOrigin !== 'ok' && is.space !== 'loopback',
  },
  {
    cause: 'mixed-content',
    code: 'mixed-content',
    retryable: false,
    matches: (is) => is.isPageSecure && !is.isTargetSecure && !isReachedLocally(is),
  },
  {
    cause: 'local-network',
    code: 'local-network-permission',
    retryable: false,
    matches: (is) => isLocal(is) && !is.isPageLocal && (is.permission === 'denied' || is.permission === 'prompt'),
  },
  { cause: 'not-running', code: 'server-unreachable', retryable: true, matches: (is) => isLocal(is) && is.noCors === 'failed' },
  {
    cause: 'origin-refused',
    code: 'origin-blocked',
    retryable: false,
    matches: (is) => is.noCors === 'ok' && is.plainGet !== 'ok' && !isKeyHidden(is),
  },
  { cause: 'header-refused', code: 'header-forbidden', retryable: false, matches: (is) => is.plainGet === 'ok' && !isKeyHidden(is) },
  { cause: 'key-hidden', code: 'auth', retryable: false, matches: (is) => isKeyHidden(is) && is.noCors !== 'failed' },
  { cause: 'blocked', code: 'server-unreachable', retryable: true, matches: (is) => is.noCors === 'failed' },
  { cause: 'stopped', code: 'interrupted', retryable: false, matches: (is) => is.wasStopped },
  { cause: 'unknown', code: 'server-unreachable', retryable: true, matches: () => true },
];

/** The error for a request that got no answer. Details: `cause` (one of `FailureCause`), `host`, `space`. */
export function classifyNetworkFailure(error: unknown, url: string, facts: FailureFacts): AppError {
  const rule = CAUSES.find((candidate) => candidate.matches(facts));
  return new AppError(rule?.code ?? 'server-unreachable', {
    retryable: rule?.retryable ?? true,
    details: { cause: rule?.cause ?? 'unknown', host: new URL(url).host, space: facts.space },
    cause: error,
  });
}

/** The part of the facts that the two addresses tell. */
export function addressFacts(
  url: string,
  pageOrigin: string,
): Pick<FailureFacts, 'space' | 'isPageSecure' | 'isTargetSecure' | 'isPageLocal'> {
  const target = new URL(url);
  const page = new URL(pageOrigin);
  return {
    space: addressSpace(target.hostname),
    isPageSecure: page.protocol === 'https:',
    isTargetSecure: target.protocol === 'https:',
    isPageLocal: addressSpace(page.hostname) === 'loopback',
  };
}

function isKeyHidden(facts: FailureFacts): boolean {
  return facts.hidesAuthErrors && facts.hasKey;
}

/** Over http from an https page: this machine always but in Safari, a private address only where the browser has asked for leave. */
function isReachedLocally(facts: FailureFacts): boolean {
  if (facts.isSafari) return false;
  return facts.space === 'loopback' || (facts.space === 'private' && facts.permission !== 'unknown');
}
