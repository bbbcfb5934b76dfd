import type { Account, ModelCapabilities, ModelInfo } from '../core/account';
import { AppError, type JsonObject } from '../core/errors';
import type { ModelRequest } from '../core/request';
import type { StreamEvent } from '../core/stream';
import { normaliseBaseUrl } from '../outbound/address';
import { classifyProviderError } from '../outbound/classify';
import { checkUserHeaders } from '../outbound/host-policy';
import { isRecord, parseJson, type UnknownRecord } from '../outbound/json';
import { abortError } from '../outbound/meter';
import { DONE, type ServerEvent } from '../outbound/repair';
import { isKnown, lookUp } from './catalogue';
import type { Provider, ProviderIo } from './provider';
import { adjust, applyLearnt } from './shared/adjustments';
import { readModelList } from './shared/model-list';
import { createChunkDecoder } from './shared/openai-chunks';
import { quirksOf } from './shared/openai-quirks';
import { chatBody } from './shared/openai-request';

/** A list of models is small; a server that needs longer is not going to answer. */
const LIST_TIMEOUT_MS = 30_000;

/** The gate's own patience ends first: the SDK must not cut a local model that still reads its prompt. */
const SDK_TIMEOUT_MS = 24 * 60 * 60_000;

/** What the events said beyond the chunks that the SDK hands on. */
interface StreamNotes {
  isDone: boolean;
  /** The event that carried an error object, as a whole: the SDK keeps only the error in it. */
  failure?: UnknownRecord;
}

interface OpenStream {
  readonly chunks: AsyncIterable<unknown>;
  readonly notes: StreamNotes;
}

/**
 * The OpenAI Chat Completions protocol, as its maker and some fifty other servers speak it. Differences between hosts are data in
 * `shared/`. A parameter that a host refuses is left out and the request sent once more; that is remembered as long as the worker lives.
 */
export function createOpenAiChat(): Provider {
  const learnt = new Map<string, Set<string>>();
  return {
    id: 'openai-chat',
    name: 'OpenAI Chat Completions',
    capabilities,
    async listModels(account, io) {
      const { url, headers, ownHeaders } = connectionOf(account, io.key);
      const response = await io.gate.fetch(`${url}/models`, {
        purpose: 'model-list',
        headers,
        ownHeaders,
        signal: io.signal,
        expect: 'json',
        timeoutMs: LIST_TIMEOUT_MS,
      });
      const value = parseJson(await response.text());
      return readModelList(value);
    },
    async *stream(request, account, io) {
      stopIfAborted(io.signal);
      const { chunks, notes } = await openAdjusted(request, account, io, learnt);
      const decoder = createChunkDecoder(io.newId);
      try {
        for await (const chunk of chunks) {
          for (const event of decoder.push(chunk)) {
            stopIfAborted(io.signal);
            yield event;
          }
        }
      } catch (error) {
        stopIfAborted(io.signal);
        yield* usageOf(decoder.push(notes.failure));
        throw translate(error, account, io, notes);
      }
      // The SDK's iteration ends like a complete answer when it is aborted.
      stopIfAborted(io.signal);
      yield* decoder.end(notes.isDone);
    },
  };
}

export const openAiChat: Provider = createOpenAiChat();

function capabilities(modelId: string, account: Account, listed?: ModelInfo): ModelCapabilities {
  const override = account.overrides[modelId] ?? {};
  return { ...(listed?.capabilities ?? lookUp(modelId)), ...override };
}

/** Opens the stream, leaving out what the host is known or says to refuse; each change is tried once. */
async function openAdjusted(
  request: ModelRequest,
  account: Account,
  io: ProviderIo,
  learnt: Map<string, Set<string>>,
): Promise<OpenStream> {
  const { url } = connectionOf(account, io.key);
  const place = `${url} ${request.modelId}`;
  const known = learnt.get(place) ?? new Set<string>();
  const quirks = quirksOf(url, account.preset, request.modelId);
  // A model nobody knows is told too: the user chose a level for it, and a refusal is answered below.
  const override = account.overrides[request.modelId]?.reasoning;
  const reasons = override ?? (lookUp(request.modelId).reasoning || !isKnown(request.modelId));
  let body = applyLearnt(chatBody(request, { quirks, reasons, extra: account.body }), known);
  const tried = new Set<string>();
  for (;;) {
    try {
      const stream = await open(body, account, io);
      if (tried.size > 0) learnt.set(place, new Set([...known, ...tried]));
      return stream;
    } catch (error) {
      const change = error instanceof AppError ? adjust(body, error, tried) : undefined;
      if (change === undefined) throw error;
      tried.add(change.id);
      body = change.body;
    }
  }
}

async function open(body: JsonObject, account: Account, io: ProviderIo): Promise<OpenStream> {
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
    const chunks = await client.post('/chat/completions', { body, stream: true, signal: io.signal });
    if (!isIterable(chunks)) throw new AppError('internal', { details: { reason: 'no stream' } });
    return { chunks, notes };
  } catch (error) {
    throw translate(error, account, io, notes);
  }
}

/** Where and with which headers to ask: the user's headers win over ours, whatever their case, and without a key there is no key header. */
function connectionOf(
  account: Account,
  key: string | null,
): { url: string; headers: Record<string, string>; ownHeaders: readonly string[] } {
  const named = account.headers.filter((header) => header.name.trim() !== '');
  checkUserHeaders(named);
  const own = Object.fromEntries(named.map(({ name, value }) => [name.toLowerCase(), value]));
  const builtIn = { accept: 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
  return { url: normaliseBaseUrl(account.baseUrl), headers: { ...builtIn, ...own }, ownHeaders: Object.keys(own) };
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

function usageOf(events: readonly StreamEvent[]): readonly StreamEvent[] {
  return events.filter((event) => event.type === 'usage');
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
