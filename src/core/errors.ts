/**
 * Every failure the app can name. The list is closed: a code is added here, gets a sentence in every language of `app/locales`, and is
 * thrown where the fact is known. Codes cross the port and are stored with a node; sentences never are.
 */
export const ERROR_CODES = [
  // what the user asked can't be sent
  'message-empty',
  'model-missing',
  'account-missing',
  'image-unsupported',
  'document-unsupported',
  'audio-unsupported',
  'attachment-type',
  'attachment-too-large',
  // how a provider refused
  'auth',
  'quota',
  'rate-limit',
  'overloaded',
  'timeout',
  'request-rejected',
  'model-not-found',
  'context-overflow',
  'refused',
  'not-an-api',
  'stream-cut',
  'provider-error',
  'answer-empty',
  // models on this device
  'model-not-downloaded',
  'model-file-invalid',
  'model-load-failed',
  'out-of-memory',
  'device-lost',
  // how the network refused
  'offline',
  'server-unreachable',
  'origin-blocked',
  'mixed-content',
  'local-network-permission',
  'offline-lock',
  'address-invalid',
  'header-forbidden',
  // storage
  'storage-quota',
  'storage-closed',
  'storage-blocked',
  'storage-outdated',
  'storage-gone',
  'storage-emptied',
  'storage-failed',
  'key-unreadable',
  // runs and conversations
  'conversation-missing',
  'node-missing',
  'node-not-editable',
  'owner-silent',
  'worker-died',
  'interrupted',
  'step-limit',
  // decisions about calls
  'call-not-pending',
  'call-elsewhere',
  'answer-incomplete',
  'arguments-invalid',
  // bringing data in
  'import-format',
  'import-newer',
  'import-damaged',
  // anything that is a fault of ours
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Whether the page can't reach what is stored any more, whatever it tries: only a reload helps. */
export function isStorageLost(code: ErrorCode): boolean {
  return code === 'storage-outdated' || code === 'storage-gone';
}

/** JSON that survives structured clone, storage and export. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** What of an error crosses a port or is stored. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** Facts for the sentence and the trace (host, status, the provider's own words). Never a key. */
  readonly details: JsonObject;
}

export interface ErrorOptions {
  readonly retryable?: boolean;
  readonly details?: JsonObject;
  readonly cause?: unknown;
}

/** A failure with a code. `message` is for developers; users read the sentence of the code. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details: JsonObject;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
  }
}

/** Cancellation is not an error: it is recognised by its name, as `AbortSignal` makes it. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error ? error.name === 'AbortError' : hasName(error) && error.name === 'AbortError';
}

/** Any thrown value as an error with a code. An unknown failure becomes `internal` and keeps its stack for the trace. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new AppError('internal', { details: { stack: text.slice(0, 4000) }, cause: error });
}

/** The plain form of any thrown value, fit to cross a port or to be stored. */
export function toErrorData(error: unknown): ErrorData {
  const { code, retryable, details } = toAppError(error);
  return { code, retryable, details };
}

/** The error again, on the other side of a port. Another build of the app may know a code that this one has no sentence for. */
export function fromErrorData(data: ErrorData): AppError {
  const code = ERROR_CODES.includes(data.code) ? data.code : 'internal';
  return new AppError(code, { retryable: data.retryable, details: data.details });
}

function hasName(value: unknown): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}
