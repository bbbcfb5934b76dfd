import type { Account, ModelCapabilities, ModelInfo } from '../core/account';
import { AppError, type JsonObject } from '../core/errors';
import type { ModelRequest } from '../core/request';
import type { StreamEvent } from '../core/stream';
import { classifyProviderError } from '../outbound/classify';
import { isRecord, parseJson, textAt } from '../outbound/json';
import { DONE, type ServerEvent } from '../outbound/repair';
import type { Provider, ProviderIo } from './provider';
import { openAdjusted, type LearntAdjustments } from './shared/adjusted-request';
import { connect, fetchListPage, LIST_PAGE_SIZE, MAX_LIST_PAGES, type Connection } from './shared/connection';
import { fetchEvents } from './shared/event-reader';
import { GOOGLE_ADJUSTMENTS } from './shared/google-adjustments';
import { googleBaseUrl, isOfficialHost, modelPath } from './shared/google-address';
import { createGoogleDecoder, type GoogleDecoder } from './shared/google-chunks';
import { googleCapabilities, readGoogleModels } from './shared/google-models';
import { googleBody } from './shared/google-request';
import { stopIfAborted, untilAborted } from './shared/until-aborted';
import { wireNamesOf } from './shared/wire-names';

/**
 * Google's own protocol. Only the key and the type of the body are sent as headers: its preflight refuses any other. What a model refuses
 * is left out and the request sent once more; that is remembered as long as the worker lives.
 */
export function createGoogleGenerative(): Provider {
  const learnt: LearntAdjustments = new Map();
  return {
    id: 'google-generative',
    name: 'Google Gemini',
    capabilities,
    modelsUrl: (account) => `${connectionOf(account, null).url}/models`,
    listModels,
    async *stream(request, account, io) {
      stopIfAborted(io.signal);
      const names = wireNamesOf(request);
      const decoder = createGoogleDecoder(io.newId, (name) => names.fromWire(name));
      for await (const event of await open(request, account, io, learnt)) {
        stopIfAborted(io.signal);
        yield* untilAborted(readEvent(event, decoder), io.signal);
        const failure = failureIn(event, account, io);
        if (failure !== undefined) throw failure;
      }
      stopIfAborted(io.signal);
      yield* untilAborted(decoder.end(), io.signal);
    },
  };
}

export const googleGenerative: Provider = createGoogleGenerative();

function readEvent(event: ServerEvent, decoder: GoogleDecoder): readonly StreamEvent[] {
  if (event.data === DONE) return [];
  const chunk = parseJson(event.data);
  if (chunk === undefined) throw new AppError('provider-error', { retryable: true, details: { reason: 'malformed' } });
  return decoder.push(chunk);
}

function capabilities(modelId: string, account: Account, listed?: ModelInfo): ModelCapabilities {
  return { ...(listed?.capabilities ?? googleCapabilities(modelId)), ...account.overrides[modelId] };
}

async function listModels(account: Account, io: ProviderIo): Promise<readonly ModelInfo[]> {
  const connection = connectionOf(account, io.key);
  const models = new Map<string, ModelInfo>();
  let pageToken: string | undefined;
  for (let page = 0; page < MAX_LIST_PAGES; page += 1) {
    const query = { pageSize: String(LIST_PAGE_SIZE), ...(pageToken === undefined ? {} : { pageToken }) };
    const value = await fetchListPage(connection, query, io);
    for (const model of readGoogleModels(value)) models.set(model.id, model);
    pageToken = isRecord(value) ? textAt(value, 'nextPageToken') : undefined;
    if (pageToken === undefined) break;
  }
  return [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Opens the answer, without what the model is known or says to refuse. */
function open(request: ModelRequest, account: Account, io: ProviderIo, learnt: LearntAdjustments): Promise<AsyncIterable<ServerEvent>> {
  const { url } = connectionOf(account, io.key);
  const body = googleBody(request, {
    reasons: capabilities(request.modelId, account).reasoning,
    isOfficial: isOfficialHost(url),
    names: wireNamesOf(request),
    extra: account.body,
  });
  const adjusted = { body, place: `${url} ${request.modelId}`, learnt, adjustments: GOOGLE_ADJUSTMENTS };
  return openAdjusted(adjusted, (accepted) => post(request, accepted, account, io));
}

function post(request: ModelRequest, body: JsonObject, account: Account, io: ProviderIo): Promise<AsyncIterable<ServerEvent>> {
  const { url, headers, ownHeaders } = connectionOf(account, io.key);
  const path = request.stream
    ? `${modelPath(request.modelId, 'streamGenerateContent')}?alt=sse`
    : modelPath(request.modelId, 'generateContent');
  return fetchEvents(io.gate, `${url}${path}`, {
    purpose: 'model',
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ownHeaders,
    body: JSON.stringify(body),
    signal: io.signal,
  });
}

/** Without a key there is no key header. Throws `address-invalid` and `header-forbidden`. */
function connectionOf(account: Account, key: string | null): Connection {
  return connect(googleBaseUrl(account.baseUrl), key === null ? {} : { 'x-goog-api-key': key }, account);
}

/** The error that an event says the answer ended in. What it holds beside the error was read before. */
function failureIn(event: ServerEvent, account: Account, io: ProviderIo): AppError | undefined {
  if (event.event !== 'error' && !event.data.includes('"error"')) return undefined;
  const chunk = parseJson(event.data);
  if (!isRecord(chunk) || !(event.event === 'error' || Boolean(chunk['error']))) return undefined;
  const secrets = [...(io.key === null ? [] : [io.key]), ...account.headers.map((header) => header.value)];
  return classifyProviderError(chunk, googleBaseUrl(account.baseUrl), { secrets });
}
