import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/core/errors';
import { diagnose, queryLocalNetworkPermission, type DiagnosisEnvironment } from '../../src/outbound/diagnose';
import type { Gate, GateRequest } from '../../src/outbound/gate';
import { addressFacts, CAUSES, classifyNetworkFailure, UNPROBED, type FailureFacts } from '../../src/outbound/network-failure';

const failed = new TypeError('Failed to fetch');
const HTTPS_PAGE = 'https://jackdaw.example';
const LOCAL_PAGE = 'http://localhost:4173';
const remote = 'https://api.example.test/v1';
const loopback = 'http://localhost:11434/v1';
const lan = 'http://192.168.1.20:8080/v1';

function facts(url: string, page: string, overrides: Partial<FailureFacts> = {}): FailureFacts {
  return { ...UNPROBED, ...addressFacts(url, page), isOnline: true, ...overrides };
}

describe('why a request got no answer', () => {
  test.each([
    ['offline', 'offline', remote, HTTPS_PAGE, { isOnline: false, sameOrigin: 'failed' }],
    ['offline does not explain this machine', 'server-unreachable', loopback, LOCAL_PAGE, { isOnline: false, noCors: 'failed' }],
    ['a wrong offline sign', 'server-unreachable', remote, HTTPS_PAGE, { isOnline: false, sameOrigin: 'ok', noCors: 'failed' }],
    ['http from https', 'mixed-content', 'http://api.example.test/v1', HTTPS_PAGE, {}],
    ['a private http address without leave', 'mixed-content', lan, HTTPS_PAGE, {}],
    ['loopback from https in Safari', 'mixed-content', loopback, HTTPS_PAGE, { isSafari: true }],
    ['loopback from https is allowed', 'server-unreachable', loopback, HTTPS_PAGE, { noCors: 'failed', permission: 'granted' }],
    ['permission denied', 'local-network-permission', loopback, HTTPS_PAGE, { permission: 'denied' }],
    ['permission not asked yet', 'local-network-permission', lan, HTTPS_PAGE, { permission: 'prompt' }],
    ['a local page needs no permission', 'server-unreachable', loopback, LOCAL_PAGE, { permission: 'denied', noCors: 'failed' }],
    ['nothing runs there', 'server-unreachable', loopback, LOCAL_PAGE, { noCors: 'failed' }],
    ['our origin is not allowed', 'origin-blocked', loopback, LOCAL_PAGE, { noCors: 'ok', plainGet: 'failed' }],
    ['a header is not allowed', 'header-forbidden', remote, HTTPS_PAGE, { noCors: 'ok', plainGet: 'ok' }],
    ['a wrong key without CORS', 'auth', remote, HTTPS_PAGE, { noCors: 'ok', hidesAuthErrors: true, hasKey: true }],
    ['no key, so no wrong one', 'origin-blocked', remote, HTTPS_PAGE, { noCors: 'ok', hidesAuthErrors: true }],
    ['a blocker', 'server-unreachable', remote, HTTPS_PAGE, { noCors: 'failed' }],
    ['the system stopped it', 'interrupted', remote, HTTPS_PAGE, { wasStopped: true }],
    ['nothing known', 'server-unreachable', remote, HTTPS_PAGE, {}],
  ] satisfies readonly [string, string, string, string, Partial<FailureFacts>][])('%s: %s', (_name, code, url, page, overrides) => {
    const error = classifyNetworkFailure(failed, url, facts(url, page, overrides));
    expect(error.code).toBe(code);
    expect(error.cause).toBe(failed);
    expect(error.details['host']).toBe(new URL(url).host);
  });

  test('nothing running and something blocking are told apart', () => {
    const cause = (url: string) => classifyNetworkFailure(failed, url, facts(url, LOCAL_PAGE, { noCors: 'failed' })).details['cause'];
    expect([cause(loopback), cause(remote)]).toEqual(['not-running', 'blocked']);
  });

  test('every cause stands once, and the last fits everything', () => {
    expect(new Set(CAUSES.map((rule) => rule.cause)).size).toBe(CAUSES.length);
    expect(CAUSES.at(-1)?.matches(facts(remote, HTTPS_PAGE))).toBe(true);
  });
});

describe('the diagnosis of a connection test', () => {
  const unreachable = new AppError('server-unreachable', { cause: failed });
  const environment: DiagnosisEnvironment = {
    pageOrigin: LOCAL_PAGE,
    isOnline: () => true,
    isSafari: false,
    permission: () => Promise.resolve('unknown'),
  };
  const { signal } = new AbortController();

  /** A gate that answers probes by their mode. */
  function gateOf(answers: { readonly cors: AppError | 'ok'; readonly 'no-cors': AppError | 'ok' }) {
    const asked: (GateRequest & { url: string })[] = [];
    const gate: Gate = {
      fetch: (url, request) => {
        asked.push({ url, ...request });
        const answer = answers[request.mode ?? 'cors'];
        return answer === 'ok' ? Promise.resolve(new Response('')) : Promise.reject(answer);
      },
    };
    return { gate, asked };
  }

  test.each([
    ['nothing listens', unreachable, unreachable, 'server-unreachable'],
    ['it listens but may not be read', unreachable, 'ok', 'origin-blocked'],
    ['a plain GET is read', 'ok', 'ok', 'header-forbidden'],
    ['a refusal is an answer too', new AppError('auth', { details: { status: 401 } }), 'ok', 'header-forbidden'],
  ] as const)('%s', async (_name, cors, noCors, code) => {
    const { gate, asked } = gateOf({ cors, 'no-cors': noCors });
    const error = await diagnose({ url: loopback, error: unreachable, hasKey: false }, gate, environment, signal);
    expect(error.code).toBe(code);
    expect(asked.map((request) => request.mode)).toEqual(['no-cors', 'cors']);
    expect(asked.every((request) => request.purpose === 'connection-test' && request.headers === undefined)).toBe(true);
  });

  test('an error that names its cause is not probed', async () => {
    const { gate, asked } = gateOf({ cors: 'ok', 'no-cors': 'ok' });
    const auth = new AppError('auth');
    expect(await diagnose({ url: remote, error: auth, hasKey: true }, gate, environment, signal)).toBe(auth);
    expect(asked).toEqual([]);
  });

  test('a locked app does not probe on', async () => {
    const locked = new AppError('offline-lock');
    const { gate } = gateOf({ cors: locked, 'no-cors': locked });
    await expect(diagnose({ url: remote, error: unreachable, hasKey: true }, gate, environment, signal)).rejects.toBe(locked);
  });

  test('the permission is found under any of its names', async () => {
    const old = (name: string) =>
      name === 'local-network-access' ? Promise.resolve('prompt' as const) : Promise.reject(new TypeError(name));
    expect(await queryLocalNetworkPermission(old, 'loopback')).toBe('prompt');
    expect(await queryLocalNetworkPermission(() => Promise.reject(new TypeError()), 'private')).toBe('unknown');
  });
});
