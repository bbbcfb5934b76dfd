import type { Account, ModelCapabilities, ModelInfo } from '../core/account';
import { AppError } from '../core/errors';
import type { ModelRequest } from '../core/request';
import { classifyProviderError } from '../outbound/classify';
import { isList, isRecord, parseJson, textAt, type UnknownRecord } from '../outbound/json';
import { DONE, type ServerEvent } from '../outbound/repair';
import { isKnown, lookUp } from './catalogue';
import type { Provider, ProviderIo } from './provider';
import { openAdjusted, type LearntAdjustments } from './shared/adjusted-request';
import { MESSAGES_ADJUSTMENTS } from './shared/anthropic-adjustments';
import { connectionOf } from './shared/anthropic-connection';
import { anthropicModel } from './shared/anthropic-models';
import { messagesBody } from './shared/anthropic-request';
import { createMessageDecoder } from './shared/anthropic-stream';
import { fetchListPage, LIST_PAGE_SIZE, MAX_LIST_PAGES, type Connection } from './shared/connection';
import { fetchEvents } from './shared/event-reader';
import { readModelList } from './shared/model-list';
import { stopIfAborted, untilAborted } from './shared/until-aborted';
import { wireNamesOf } from './shared/wire-names';

/**
 * The Anthropic Messages protocol, as its maker and other hosts speak it. What differs between models is data in `shared/`. A field that a
 * host refuses is left out and the request sent once more; that is remembered as long as the worker lives.
 */
export function createAnthropicMessages(): Provider {
  const learnt: LearntAdjustments = new Map();
  return {
    id: 'anthropic-messages',
    name: 'Anthropic Messages',
    capabilities,
    modelsUrl: (account) => `${connectionOf(account, null).url}/models`,
    async listModels(account, io) {
      const models = readModelList(await fetchModels(connectionOf(account, io.key), io));
      return models.map((model) => ({ ...model, capabilities: withAbilities(model.id, model.capabilities) }));
    },
    async *stream(request, account, io) {
      stopIfAborted(io.signal);
      const connection = connectionOf(account, io.key);
      const events = await open(request, account, connection, io, learnt);
      const decoder = createMessageDecoder(io.newId, wireNamesOf(request));
      for await (const event of events) {
        if (event.data === DONE) continue;
        yield* untilAborted(decoder.push(readEvent(event, account, connection, io)), io.signal);
      }
      stopIfAborted(io.signal);
      yield* untilAborted(decoder.end(), io.signal);
    },
  };
}

export const anthropicMessages: Provider = createAnthropicMessages();

function capabilities(modelId: string, account: Account, listed?: ModelInfo): ModelCapabilities {
  const override = account.overrides[modelId] ?? {};
  return { ...withAbilities(modelId, listed?.capabilities ?? lookUp(modelId)), ...override };
}

/** What only this protocol's own models are known for. */
function withAbilities(modelId: string, known: ModelCapabilities): ModelCapabilities {
  const { thinking, documents, hostedSearch } = anthropicModel(modelId);
  // The version says it for families that the catalogue doesn't know yet.
  const reasoning = thinking === 'host-budget' ? known.reasoning : thinking !== 'none';
  return { ...known, reasoning, documents, hostedSearch };
}

/** The entries of all pages of the list. */
async function fetchModels(connection: Connection, io: ProviderIo): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  let after = '';
  for (let page = 0; page < MAX_LIST_PAGES; page += 1) {
    const query = { limit: String(LIST_PAGE_SIZE), ...(after === '' ? {} : { after_id: after }) };
    const value = await fetchListPage(connection, query, io);
    if (!isRecord(value) || !isList(value['data'])) return isList(value) ? value : entries;
    entries.push(...value['data']);
    const last = textAt(value, 'last_id') ?? '';
    if (value['has_more'] !== true || last === '' || last === after) break;
    after = last;
  }
  return entries;
}

function open(
  request: ModelRequest,
  account: Account,
  { url, headers, ownHeaders }: Connection,
  io: ProviderIo,
  learnt: LearntAdjustments,
): Promise<AsyncIterable<ServerEvent>> {
  const { modelId } = request;
  // A model nobody knows is told too: the user chose a level for it, and a refusal is answered by leaving it out.
  const reasons = capabilities(modelId, account).reasoning || (account.overrides[modelId]?.reasoning === undefined && !isKnown(modelId));
  const body = messagesBody(request, { model: anthropicModel(modelId), names: wireNamesOf(request), reasons, extra: account.body });
  return openAdjusted({ body, place: `${url} ${modelId}`, learnt, adjustments: MESSAGES_ADJUSTMENTS }, (adjusted) =>
    fetchEvents(io.gate, `${url}/messages`, {
      purpose: 'model',
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      ownHeaders,
      body: JSON.stringify(adjusted),
      signal: io.signal,
    }),
  );
}

/** The event's object. Throws the error that it is, and `provider-error` for what is no JSON. */
function readEvent(event: ServerEvent, account: Account, { url }: Connection, io: ProviderIo): UnknownRecord {
  const value = parseJson(event.data);
  if (!isRecord(value)) throw new AppError('provider-error', { retryable: true, details: { reason: 'malformed' } });
  const isError = event.event === 'error' || value['type'] === 'error' || (value['type'] === undefined && Boolean(value['error']));
  if (!isError) return value;
  const secrets = [...(io.key === null ? [] : [io.key]), ...account.headers.map((header) => header.value)];
  throw classifyProviderError(value, url, { secrets });
}
