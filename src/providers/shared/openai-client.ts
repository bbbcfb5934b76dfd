import type { Account } from '../../core/account';
import { AppError, type JsonObject } from '../../core/errors';
import type { StreamEvent } from '../../core/stream';
import { normaliseBaseUrl } from '../../outbound/address';
import { classifyProviderError } from '../../outbound/classify';
import { isHost } from '../../outbound/host-policy';
import { isRecord, parseJson, type UnknownRecord } from '../../outbound/json';
import { abortError } from '../../outbound/meter';
import { DONE, type ServerEvent } from '../../outbound/repair';
import type { ProviderIo } from '../provider';
import { connect, type Connection } from './connection';
import { stopIfAborted, untilAborted } from './until-aborted';

/** The gate's own patience ends first: the SDK must not cut a local model that still reads its prompt. */
const SDK_TIMEOUT_MS = 24 * 60 * 60_000;

/** Hosts that take the key in a header of their own. */
const API_KEY_HOSTS = ['.openai.azure.com', '.services.ai.azure.com', '.cognitiveservices.azure.com'] as const;

/** What the events said beyond the chunks that the SDK hands on. */
interface StreamNotes {
  isDone: boolean;
  /** The event that carried an error object, as a whole: the SDK keeps only the error in it. */
  failure?: UnknownRecord;
}

/** An answer that has begun. */
export interface OpenStream {
  readonly chunks: AsyncIterable<unknown>;
  readonly notes: StreamNotes;
}

/** Reads the chunks of one answer, or one whole answer. */
export interface AnswerDecoder {
  /** Events of one chunk. Chunks of unknown shape give none. */
  push(chunk: unknown): readonly StreamEvent[];
  /** The error object of a chunk that only says that the answer failed. */
  failureIn(chunk: unknown): UnknownRecord | undefined;
  /** What was held back, where the answer breaks off. */
  rest(): readonly StreamEvent[];
  /** What is left, then `finish`. `isDone`: the stream said `[DONE]`. Throws for an answer that is not complete or empty. */
  end(isDone: boolean): readonly StreamEvent[];
}

/**
 * Posts a body to a path below the account's address through the gate. Resolves once the head of a good answer is there; throws an AppError,
 * or AbortError once the signal fires.
 */
export async function openStream(path: string, body: JsonObject, account: Account, io: ProviderIo): Promise<OpenStream> {
  const { url, headers, ownHeaders } = connectionOf(account, io.key);
  const notes: StreamNotes = { isDone: false };
  // 80 kB gzip that the first screen doesn't need.
  const { OpenAI } = await import('openai');
  stopIfAborted(io.signal);
  const client = new OpenAI({
    baseURL: url,
    // The SDK insists on a key; what is sent as one is decided in `connectionOf`.
    apiKey: 'unused',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
    timeout: SDK_TIMEOUT_MS,
    logLevel: 'off',
    fetch: (target, init) =>
      io.gate.fetch(target instanceof Request ? target.url : String(target), {
        purpose: 'model',
        method: 'POST',
        // None of the SDK's own headers: they only tell who sends, and some hosts refuse them.
        headers: { ...headers, 'content-type': 'application/json' },
        ownHeaders,
        body: typeof init?.body === 'string' ? init.body : JSON.stringify(body),
        // The SDK's own signal also fires when it gives up a stream itself; that cancels the body, and is no abort of ours.
        signal: io.signal,
        // Whole answers come through as a stream of one event, so that there is one way to read either.
        expect: 'events',
        observe: (event) => {
          note(event, notes);
        },
      }),
  });
  try {
    const chunks = await client.post(path, { body, stream: true, signal: io.signal });
    if (!isIterable(chunks)) throw new AppError('internal', { details: { reason: 'no stream' } });
    return { chunks, notes };
  } catch (error) {
    throw translate(error, account, io, notes);
  }
}

/** The events of an answer to its end, as `Provider.stream` promises them. */
export async function* readAnswer(
  stream: OpenStream,
  decoder: AnswerDecoder,
  account: Account,
  io: ProviderIo,
): AsyncIterable<StreamEvent> {
  const { chunks, notes } = stream;
  try {
    for await (const chunk of chunks) {
      yield* untilAborted(decoder.push(chunk), io.signal);
      const failure = decoder.failureIn(chunk);
      if (failure === undefined) continue;
      notes.failure ??= failure;
      throw new Error('The answer says that it failed.');
    }
  } catch (error) {
    const usage = decoder.push(notes.failure).filter((event) => event.type === 'usage');
    yield* untilAborted([...decoder.rest(), ...usage], io.signal);
    throw translate(error, account, io, notes);
  }
  // The SDK's iteration ends like a complete answer when it is aborted.
  stopIfAborted(io.signal);
  yield* untilAborted(decoder.end(notes.isDone), io.signal);
}

/** Without a key there is no key header. Throws `address-invalid` and `header-forbidden`. */
export function connectionOf(account: Account, key: string | null): Connection {
  const url = normaliseBaseUrl(account.baseUrl);
  return connect(url, { accept: 'application/json', ...(key === null ? {} : keyHeader(url, key)) }, account);
}

function keyHeader(url: string, key: string): Record<string, string> {
  const { hostname } = new URL(url);
  return API_KEY_HOSTS.some((host) => isHost(hostname, host)) ? { 'api-key': key } : { authorization: `Bearer ${key}` };
}

function note(event: ServerEvent, notes: StreamNotes): void {
  if (event.data === DONE) notes.isDone = true;
  else if (notes.failure === undefined && (event.event === 'error' || event.data.includes('"error"'))) {
    const value = parseJson(event.data);
    if (isRecord(value) && (event.event === 'error' || Boolean(value['error']))) notes.failure = value;
  }
}

/** Any failure as an AppError or AbortError. The SDK wraps what the gate throws, sometimes twice. */
function translate(error: unknown, account: Account, io: ProviderIo, notes: StreamNotes): Error {
  if (io.signal.aborted) return abortError(io.signal);
  const own = appErrorIn(error);
  if (own !== undefined) return own;
  if (notes.failure !== undefined) {
    const secrets = [...(io.key === null ? [] : [io.key]), ...account.headers.map((header) => header.value)];
    return classifyProviderError(notes.failure, normaliseBaseUrl(account.baseUrl), { secrets });
  }
  const isMalformed = error instanceof SyntaxError;
  if (isMalformed) return new AppError('provider-error', { retryable: true, details: { reason: 'malformed' }, cause: error });
  return new AppError('internal', { details: { reason: error instanceof Error ? error.message : 'unknown' }, cause: error });
}

function appErrorIn(error: unknown): AppError | undefined {
  let current = error;
  while (current instanceof Error) {
    if (current instanceof AppError) return current;
    current = current.cause;
  }
  return undefined;
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
