import { AppError } from '../core/errors';
import { addressSpace } from './address';
import type { Gate } from './gate';
import { addressFacts, classifyNetworkFailure, type Probe } from './network-failure';

/** What the surroundings of the request say, beside what the gate can find out by asking. */
export interface DiagnosisEnvironment {
  readonly pageOrigin: string;
  isOnline(): boolean;
  readonly isSafari: boolean;
  /** The browser's local network permission for a space, `unknown` where it has none. */
  permission(space: 'loopback' | 'private'): Promise<PermissionState | 'unknown'>;
}

export interface DiagnosisSubject {
  /** The address that failed. */
  readonly url: string;
  readonly error: unknown;
  readonly hasKey: boolean;
}

/** Names of the permission over the browsers' versions, the newest first. */
const PERMISSION_NAMES = {
  loopback: ['loopback-network', 'local-network-access'],
  private: ['local-network', 'local-network-access'],
} as const;

/** A server that is there answers a probe at once; a user waits in front of a button. */
const PROBE_TIMEOUT_MS = 4_000;

/** Hosts whose answer to a wrong key can't be read by a page. */
const HIDES_AUTH_ERRORS = ['api.openai.com', 'api.cerebras.ai'] as const;

/**
 * The one best cause of a failed request, found by probes through the gate (each has its ledger row): this app's own origin, the address
 * without CORS, and the address by a plain GET. For the connection test only; an ordinary failure isn't probed. An error that already
 * names its cause comes back as it is. Throws AbortError once the signal fires, `offline-lock` while locked.
 */
export async function diagnose(
  subject: DiagnosisSubject,
  gate: Gate,
  environment: DiagnosisEnvironment,
  signal: AbortSignal,
): Promise<AppError> {
  const { url, error, hasKey } = subject;
  if (error instanceof AppError && error.code !== 'server-unreachable') return error;
  const target = new URL(url);
  const space = addressSpace(target.hostname);
  const isOnline = environment.isOnline();
  const permission = space === 'public' ? 'unknown' : await environment.permission(space);
  const [sameOrigin, noCors, plainGet] = await Promise.all([
    isOnline ? UNASKED : probe(gate, `${environment.pageOrigin}/?online=${target.port}`, 'cors', signal),
    probe(gate, url, 'no-cors', signal),
    probe(gate, url, 'cors', signal),
  ]);
  return classifyNetworkFailure(error instanceof AppError ? (error.cause ?? error) : error, url, {
    ...addressFacts(url, environment.pageOrigin),
    isOnline,
    isSafari: environment.isSafari,
    sameOrigin,
    permission,
    noCors,
    plainGet,
    hidesAuthErrors: HIDES_AUTH_ERRORS.some((host) => host === target.hostname),
    hasKey,
    wasStopped: false,
  });
}

/** The state of the local network permission under any of its names; `unknown` where the browser knows none of them. */
export async function queryLocalNetworkPermission(
  query: (name: string) => Promise<PermissionState>,
  space: 'loopback' | 'private',
): Promise<PermissionState | 'unknown'> {
  for (const name of PERMISSION_NAMES[space]) {
    try {
      return await query(name);
    } catch {
      // This browser calls it otherwise, or has no such permission.
    }
  }
  return 'unknown';
}

const UNASKED: Promise<Probe> = Promise.resolve('unknown');

/** Any answer counts, also a refusal: what is asked is whether one can be read at all. */
async function probe(gate: Gate, url: string, mode: 'cors' | 'no-cors', signal: AbortSignal): Promise<Probe> {
  try {
    const response = await gate.fetch(url, { purpose: 'connection-test', mode, signal, timeoutMs: PROBE_TIMEOUT_MS });
    await response.body?.cancel();
    return 'ok';
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'offline-lock') throw error;
    return typeof error.details['status'] === 'number' ? 'ok' : 'failed';
  }
}
