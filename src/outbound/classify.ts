import { AppError, type ErrorCode, type JsonObject } from '../core/errors';
import { readErrorText, readErrorValue, parseDuration, type ErrorFacts } from './error-text';

/** What else is known when an answer is classified. */
export interface ClassifyOptions {
  /** Texts that must not appear in the details: the key and the values of secret headers. */
  readonly secrets?: readonly string[];
  /** Epoch ms, to count a `Retry-After` date from where the answer has no `Date`. */
  readonly now?: number;
}

interface Subject extends ErrorFacts {
  /** HTTP status, or the one inside the body; 0 where neither is known. */
  readonly httpStatus: number;
  readonly isPage: boolean;
  readonly hasDelay: boolean;
}

interface Rule {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly matches: (subject: Subject) => boolean;
}

const AUTH_WORDS =
  /api[ _-]?key[ _](not valid|invalid)|invalid[ _](x-)?api[ _-]?key|incorrect api key|api_key_invalid|authentication_error|missing api key|no api key|invalid[ _]auth/;
const QUOTA_CODES =
  /insufficient_quota|billing_hard_limit|billing_not_active|insufficient (credit|balance|fund)|credit balance is too low|out of credits/;
const QUOTA_WORDS = /exceeded your current quota|billing|payment required/;
const OVERFLOW_WORDS =
  /context_length_exceeded|exceed_context_size|maximum context length|max context length|context window|context length|available context size|prompt (is )?too long|input is too long|too[ _]many[ _](prompt[ _])?tokens|messages is too long|window is full|reduce the length of/;
const REFUSED_WORDS = /content_filter|content_policy|content policy|responsibleaipolicy|moderation|flagged/;
const MODEL_WORDS =
  /model_not_found|(unknown|invalid) model\b|\bmodels?\b[^.!?]{0,120}\b(not found|not exist|is not available)|models\/\S+ is not found|not a valid model/;
const OVERLOADED_WORDS = /overloaded|loading model|model is (currently )?loading|server is busy|at capacity|temporarily unavailable/;
const TEMPORARY_WORDS = /server_error|internal_error|api_error|internal server error/;

/** In order: what the body says counts more than the status, because several hosts answer a bad key with 400 and an empty purse with 429. */
const RULES: readonly Rule[] = [
  {
    code: 'auth',
    retryable: false,
    matches: (is) => is.httpStatus === 401 || (isOneOf(is, [0, 400, 403]) && AUTH_WORDS.test(is.searchText)),
  },
  { code: 'quota', retryable: false, matches: (is) => is.httpStatus === 402 || QUOTA_CODES.test(is.searchText) },
  {
    code: 'rate-limit',
    retryable: true,
    matches: (is) => is.httpStatus === 429 && (is.hasDelay || is.searchText.includes('resource_exhausted')),
  },
  { code: 'quota', retryable: false, matches: (is) => isOneOf(is, [0, 400, 403, 429]) && QUOTA_WORDS.test(is.searchText) },
  {
    code: 'rate-limit',
    retryable: true,
    matches: (is) => is.httpStatus === 429 || /rate_limit|rate limit|too many requests/.test(is.searchText),
  },
  { code: 'context-overflow', retryable: false, matches: (is) => OVERFLOW_WORDS.test(is.searchText) },
  { code: 'refused', retryable: false, matches: (is) => isOneOf(is, [0, 400, 403]) && REFUSED_WORDS.test(is.searchText) },
  { code: 'model-not-found', retryable: false, matches: (is) => isOneOf(is, [0, 400, 404]) && MODEL_WORDS.test(is.searchText) },
  {
    code: 'overloaded',
    retryable: true,
    matches: (is) => isOneOf(is, [503, 529]) || (isOneOf(is, [0, 500]) && OVERLOADED_WORDS.test(is.searchText)),
  },
  { code: 'timeout', retryable: true, matches: (is) => is.httpStatus === 408 },
  // 499 is Google's word for an answer that its own side gave up.
  { code: 'provider-error', retryable: true, matches: (is) => is.httpStatus >= 500 || is.httpStatus === 499 },
  { code: 'not-an-api', retryable: false, matches: (is) => is.isPage || isOneOf(is, [404, 405, 410]) },
  { code: 'auth', retryable: false, matches: (is) => is.httpStatus === 403 },
  { code: 'request-rejected', retryable: false, matches: (is) => is.httpStatus >= 400 },
  { code: 'provider-error', retryable: true, matches: (is) => TEMPORARY_WORDS.test(is.searchText) },
];

/**
 * The error that an HTTP answer means. Details: `status`, `host`, `message` (the server's words), and where known `providerCode`,
 * `parameter`, `retryAfterMs`. `bodyText` may be cut; a page is never quoted beyond its title.
 */
export function classifyResponse(status: number, headers: Headers, bodyText: string, url: string, options: ClassifyOptions = {}): AppError {
  const facts = readErrorText(bodyText);
  const isPage = /^\s*</.test(bodyText) || (headers.get('content-type') ?? '').includes('text/html');
  const delay = delayOf(headers, options.now) ?? facts.retryAfterMs;
  return classify({ ...facts, ...(delay === undefined ? {} : { retryAfterMs: delay }) }, status, isPage, url, options.secrets ?? []);
}

/** The error that an error object inside an answer means, whatever its shape. Details as of `classifyResponse`. */
export function classifyProviderError(error: unknown, url: string, options: ClassifyOptions = {}): AppError {
  const facts = readErrorValue(error);
  return classify(facts, facts.status ?? 0, false, url, options.secrets ?? []);
}

/** `text` without the secrets and without anything else that looks like a key. */
export function redact(text: string, secrets: readonly string[]): string {
  // The shortest real key is far longer than 5 characters; replacing shorter texts would only garble sentences.
  const named = secrets.filter((secret) => secret.length > 5).reduce((clean, secret) => clean.replaceAll(secret, '•••'), text);
  return named.replace(/\b(sk|pk|gsk|xai|hf|AIza|key)[-_][A-Za-z0-9_-]{12,}|\bAIza[A-Za-z0-9_-]{20,}/g, '•••');
}

function classify(facts: ErrorFacts, status: number, isPage: boolean, url: string, secrets: readonly string[]): AppError {
  // A gateway that answers 200 or 400 with another status inside passes on what its upstream said.
  const httpStatus = status >= 400 ? status : (facts.status ?? status);
  const subject: Subject = { ...facts, httpStatus: httpStatus < 400 ? 0 : httpStatus, isPage, hasDelay: facts.retryAfterMs !== undefined };
  const rule = RULES.find((candidate) => candidate.matches(subject));
  const details: JsonObject = {
    status: httpStatus,
    host: hostOf(url),
    message: redact(facts.message, secrets),
    ...(facts.code === undefined ? {} : { providerCode: redact(facts.code, secrets).slice(0, 100) }),
    ...(facts.parameter === undefined ? {} : { parameter: redact(facts.parameter, secrets).slice(0, 100) }),
    ...(facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs }),
  };
  return new AppError(rule?.code ?? 'provider-error', { retryable: rule?.retryable ?? false, details });
}

/** `Retry-After` in either form. A date counts from the server's own clock: the user's may be wrong. */
function delayOf(headers: Headers, now: number | undefined): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return Math.round(milliseconds);
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const duration = parseDuration(text);
  if (duration !== undefined) return duration;
  const until = Date.parse(text);
  const from = Date.parse(headers.get('date') ?? '');
  const start = Number.isNaN(from) ? now : from;
  return Number.isNaN(until) || start === undefined ? undefined : Math.max(0, until - start);
}

function isOneOf(subject: Subject, statuses: readonly number[]): boolean {
  return statuses.includes(subject.httpStatus);
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}
