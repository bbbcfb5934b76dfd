import { AppError, isAbort } from '../core/errors';
import type { Purpose } from '../core/outbound';
import { addressSpace, isLoopback, parseHttpUrl } from './address';
import { classifyProviderError, classifyResponse } from './classify';
import { applyHeaderPolicy } from './host-policy';
import { isRecord, parseJson } from './json';
import { openEntry, type NewLedgerEntry, type OpenEntry } from './ledger';
import { abortError, meterBody, readStart } from './meter';
import { addressFacts, classifyNetworkFailure, UNPROBED } from './network-failure';
import { startPatience } from './patience';
import { repairEvents, type ServerEvent } from './repair';

/** What an answer of status 200 has to be: an event stream (repaired), a JSON document (checked), or anything. */
export type Expectation = 'events' | 'json' | 'any';

export interface GateRequest {
  readonly purpose: Purpose;
  /** `GET` where absent. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly expect?: Expectation;
  /** `no-cors` is a probe: the answer is opaque and only says that somebody listens. */
  readonly mode?: 'cors' | 'no-cors';
  /** Names (lower case) of headers that the user set by hand: kept where a host's list would leave them out. */
  readonly ownHeaders?: readonly string[];
  /** The longest silence before the answer and between two pieces of it. */
  readonly timeoutMs?: number;
  /** Sees every event of a repaired stream before the reader does. */
  readonly observe?: (event: ServerEvent) => void;
}

/** The only way out of the app. */
export interface Gate {
  /**
   * Resolves with the answer once its head is there and it is good: status 200–299 and what `expect` says. One ledger row is written for
   * every call, when its body ends or it failed, was aborted or refused.
   *
   * Throws AbortError once the signal fires, also while the body is read; otherwise an AppError: `address-invalid`, `header-forbidden`,
   * `offline-lock` (nothing was sent), a code of `network-failure.ts` (nobody answered), a code of `classify.ts` (the answer refuses),
   * `not-an-api`, `timeout`, or `stream-cut` while the body is read.
   */
  fetch(url: string, request: GateRequest): Promise<Response>;
}

export interface GateDependencies {
  readonly fetch: typeof fetch;
  /** Epoch ms. */
  now(): number;
  /** Whether the user locked the app in. A rejection refuses the request: without an answer nothing leaves. */
  isLocked(): Promise<boolean>;
  isOnline(): boolean;
  readonly pageOrigin: string;
  record(entry: NewLedgerEntry): Promise<void>;
}

/** Enough for every explanation; the rest of an error body is not worth its bytes. */
const ERROR_BODY_BYTES = 64 * 1024;

/** These need neither a key nor words of the user's, and a hub hands its large files to other hosts. */
const FOLLOWED: readonly Purpose[] = ['image', 'model-download'];

/** A large local model may read its prompt for minutes before the first token. */
export const DEFAULT_TIMEOUT_MS = 10 * 60_000;

/** Headers whose values are keys in common protocols. */
const SECRET_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'proxy-authorization'] as const;

interface Attempt {
  readonly url: URL;
  readonly request: GateRequest;
  readonly headers: Record<string, string>;
  readonly entry: OpenEntry;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** A gate over the given abilities. The offline lock lets only this app's own origin through: a server on this machine is refused too. */
export function createGate(dependencies: GateDependencies): Gate {
  return {
    async fetch(url, request) {
      const target = parseHttpUrl(url);
      const entry = openEntry(
        {
          purpose: request.purpose,
          origin: target.origin,
          method: request.method ?? 'GET',
          sentBytes: request.body === undefined ? 0 : new TextEncoder().encode(request.body).byteLength,
        },
        () => dependencies.now(),
        (row) => dependencies.record(row),
      );
      const signal = request.signal ?? new AbortController().signal;
      let headers: Record<string, string>;
      try {
        await refuseWhileLocked(target, dependencies);
        headers = applyHeaderPolicy(request.headers ?? {}, target.hostname, request.ownHeaders);
      } catch (error) {
        entry.settle('refused');
        throw error;
      }
      const attempt: Attempt = { url: target, request, headers, entry, signal, timeoutMs: request.timeoutMs ?? DEFAULT_TIMEOUT_MS };
      return receive(await send(attempt, dependencies), attempt, dependencies);
    },
  };
}

async function refuseWhileLocked(target: URL, dependencies: GateDependencies): Promise<void> {
  if (target.origin === dependencies.pageOrigin || !(await dependencies.isLocked())) return;
  throw new AppError('offline-lock', { details: { host: target.host } });
}

async function send(attempt: Attempt, dependencies: GateDependencies): Promise<Response> {
  const { url, entry, signal } = attempt;
  // One controller for both ends of patience: the user's and ours.
  const controller = new AbortController();
  const forward = (): void => {
    controller.abort(signal.reason);
  };
  if (signal.aborted) forward();
  signal.addEventListener('abort', forward, { once: true });
  const endPatience = startPatience(attempt.timeoutMs, () => {
    controller.abort(new AppError('timeout', { retryable: true, details: { host: url.host, timeoutMs: attempt.timeoutMs } }));
  });
  try {
    // Called as a plain function: `fetch` refuses any other `this`.
    const request = dependencies.fetch;
    const response = await request(url.href, initOf(attempt, controller.signal, dependencies.pageOrigin));
    entry.answer(response.status);
    return response;
  } catch (error) {
    signal.removeEventListener('abort', forward);
    entry.settle(signal.aborted ? 'aborted' : 'failed');
    if (signal.aborted) throw abortError(signal);
    if (error instanceof AppError) throw error;
    throw classifyNetworkFailure(error, url.href, {
      ...UNPROBED,
      ...addressFacts(url.href, dependencies.pageOrigin),
      isOnline: dependencies.isOnline(),
      wasStopped: isAbort(error),
    });
  } finally {
    endPatience();
  }
}

function initOf(attempt: Attempt, signal: AbortSignal, pageOrigin: string): RequestInit {
  const { url, request, headers } = attempt;
  const space = addressSpace(url.hostname);
  const init: RequestInit & { targetAddressSpace?: string } = {
    method: request.method ?? 'GET',
    headers,
    mode: request.mode ?? 'cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    // A redirect would take a key and the user's words to a host that nobody chose.
    redirect: request.mode === 'no-cors' || (FOLLOWED.includes(request.purpose) && isBare(attempt)) ? 'follow' : 'manual',
    signal,
  };
  if (request.body !== undefined) init.body = request.body;
  // Chromium asks the user for local servers only if told where they are; other browsers don't know the field.
  if (space !== 'public' && !isLoopback(new URL(pageOrigin).hostname)) {
    init.targetAddressSpace = space === 'loopback' ? 'loopback' : 'local';
  }
  return init;
}

/** Whatever a request is for: nothing in it is a key or the user's words. */
function isBare({ request, headers }: Attempt): boolean {
  return request.body === undefined && secretsOf(headers).length === 0;
}

/** The answer's body under the meter and, where it was asked for, repaired or checked. */
async function receive(response: Response, attempt: Attempt, dependencies: GateDependencies): Promise<Response> {
  const { request, entry, signal, timeoutMs } = attempt;
  const { status } = response;
  if (response.body === null) entry.settle('answered');
  if (response.type === 'opaque') return response;
  const body = response.body === null ? null : meterBody(response.body, { entry, signal, timeoutMs });
  const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (isRedirect) {
    await body?.cancel();
    entry.settle('answered');
    throw new AppError('address-invalid', { details: { host: attempt.url.host, reason: 'redirect', status } });
  }
  const expect = request.expect ?? 'any';
  if (!response.ok || (expect !== 'any' && isPage(response.headers))) {
    const text = body === null ? '' : await readStart(body, ERROR_BODY_BYTES).catch(withoutWords);
    throw classifyResponse(status, response.headers, text, attempt.url.href, {
      secrets: secretsOf(attempt.headers),
      now: dependencies.now(),
    });
  }
  const head = { status, statusText: response.statusText, headers: response.headers };
  if (body === null) return new Response(null, head);
  if (expect === 'events') return new Response(repairEvents(body, request.observe), head);
  if (expect === 'json') return new Response(await readJson(body, attempt), head);
  return new Response(body, head);
}

/** An error answer that was cut off still has its status. */
function withoutWords(error: unknown): string {
  if (isAbort(error)) throw error;
  return '';
}

/** The text of a JSON answer. Throws `not-an-api` for anything else, and the error that a top-level `error` means. */
async function readJson(body: ReadableStream<Uint8Array>, attempt: Attempt): Promise<string> {
  const text = await readStart(body, Number.POSITIVE_INFINITY);
  const value = parseJson(text);
  if (value === undefined) throw new AppError('not-an-api', { details: { host: attempt.url.host, reason: 'text', status: 200 } });
  if (isRecord(value) && value['error'] != null && value['error'] !== false) {
    throw classifyProviderError(value, attempt.url.href, { secrets: secretsOf(attempt.headers) });
  }
  return text;
}

function isPage(headers: Headers): boolean {
  return (headers.get('content-type') ?? '').includes('text/html');
}

/** Values that must never be quoted back: every key header, with and without its scheme. */
function secretsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  return SECRET_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [value, value.replace(/^\S+\s+/, '')];
  });
}
