import type { Account, ModelCapabilities, ModelInfo } from '../core/account';
import { AppError, type JsonObject } from '../core/errors';
import type { ModelRequest } from '../core/request';
import { classifyProviderError } from '../outbound/classify';
import { checkUserHeaders } from '../outbound/host-policy';
import { isRecord, parseJson, textAt } from '../outbound/json';
import { abortError } from '../outbound/meter';
import { DONE, type ServerEvent } from '../outbound/repair';
import type { Provider, ProviderIo } from './provider';
import { fetchEvents } from './shared/event-reader';
import { googleBaseUrl, isOfficialHost, modelPath } from './shared/google-address';
import { createGoogleDecoder } from './shared/google-chunks';
import { googleCapabilities, readGoogleModels } from './shared/google-models';
import { googleBody } from './shared/google-request';
import { isJsonObject } from './shared/json-body';
import { wireNamesOf } from './shared/wire-names';

/** A list of models is small; a server that needs longer is not going to answer. */
const LIST_TIMEOUT_MS = 30_000;

/** The most that the server puts on one page. */
const PAGE_SIZE = 1_000;
/** A list that goes on after so many pages goes round in circles. */
const MAX_PAGES = 20;

/** Google's own protocol. Only the key and the type of the body are sent as headers: its preflight refuses any other. */
export const googleGenerative: Provider = {
  id: 'google-generative',
  name: 'Google Gemini',
  capabilities,
  listModels,
  async *stream(request, account, io) {
    stopIfAborted(io.signal);
    const names = wireNamesOf(request);
    const decoder = createGoogleDecoder(io.newId, (name) => names.fromWire(name));
    for await (const event of await open(request, account, io)) {
      stopIfAborted(io.signal);
      if (event.data === DONE) continue;
      const chunk = parseJson(event.data);
      if (chunk === undefined) throw new AppError('provider-error', { retryable: true, details: { reason: 'malformed' } });
      for (const output of decoder.push(chunk)) {
        stopIfAborted(io.signal);
        yield output;
      }
      if (isRecord(chunk) && (Boolean(chunk['error']) || event.event === 'error')) throw failureOf(chunk, account, io);
    }
    stopIfAborted(io.signal);
    for (const output of decoder.end()) {
      stopIfAborted(io.signal);
      yield output;
    }
  },
};

function capabilities(modelId: string, account: Account, listed?: ModelInfo): ModelCapabilities {
  return { ...(listed?.capabilities ?? googleCapabilities(modelId)), ...account.overrides[modelId] };
}

async function listModels(account: Account, io: ProviderIo): Promise<readonly ModelInfo[]> {
  const { url, headers, ownHeaders } = connectionOf(account, io.key);
  const models = new Map<string, ModelInfo>();
  let pageToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ pageSize: String(PAGE_SIZE), ...(pageToken === undefined ? {} : { pageToken }) });
    const response = await io.gate.fetch(`${url}/models?${query.toString()}`, {
      purpose: 'model-list',
      headers,
      ownHeaders,
      signal: io.signal,
      expect: 'json',
      timeoutMs: LIST_TIMEOUT_MS,
    });
    const value = parseJson(await response.text());
    for (const model of readGoogleModels(value)) models.set(model.id, model);
    pageToken = isRecord(value) ? textAt(value, 'nextPageToken') : undefined;
    if (pageToken === undefined) break;
  }
  return [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Opens the answer. A model that refuses to be told how to think is asked once more without it. */
async function open(request: ModelRequest, account: Account, io: ProviderIo): Promise<AsyncIterable<ServerEvent>> {
  const { url } = connectionOf(account, io.key);
  const body = googleBody(request, {
    reasons: capabilities(request.modelId, account).reasoning,
    isOfficial: isOfficialHost(url),
    names: wireNamesOf(request),
    extra: account.body,
  });
  try {
    return await post(request, body, account, io);
  } catch (error) {
    const plain = withoutThinking(body);
    const isRefused =
      error instanceof AppError && error.code === 'request-rejected' && /think/i.test(textAt(error.details, 'message') ?? '');
    if (!isRefused || plain === undefined) throw error;
    return post(request, plain, account, io);
  }
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

function withoutThinking(body: JsonObject): JsonObject | undefined {
  const config = body['generationConfig'];
  if (!isJsonObject(config) || config['thinkingConfig'] === undefined) return undefined;
  const { thinkingConfig: _refused, ...rest } = config;
  return { ...body, generationConfig: rest };
}

/** Where and with which headers to ask: the user's win over ours, whatever their case, and without a key there is no key header. */
function connectionOf(
  account: Account,
  key: string | null,
): { url: string; headers: Record<string, string>; ownHeaders: readonly string[] } {
  const named = account.headers.filter((header) => header.name.trim() !== '');
  checkUserHeaders(named);
  const own = Object.fromEntries(named.map(({ name, value }) => [name.toLowerCase(), value]));
  const headers = { ...(key === null ? {} : { 'x-goog-api-key': key }), ...own };
  return { url: googleBaseUrl(account.baseUrl), headers, ownHeaders: Object.keys(own) };
}

function failureOf(chunk: unknown, account: Account, io: ProviderIo): AppError {
  const secrets = [...(io.key === null ? [] : [io.key]), ...account.headers.map((header) => header.value)];
  return classifyProviderError(chunk, googleBaseUrl(account.baseUrl), { secrets });
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}
