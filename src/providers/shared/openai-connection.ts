import type { Account, ModelInfo } from '../../core/account';
import type { JsonObject } from '../../core/errors';
import { parseJson } from '../../outbound/json';
import type { ProviderIo } from '../provider';
import { openAdjusted, type LearntAdjustments } from './adjusted-request';
import { ADJUSTMENTS } from './adjustments';
import { readModelList } from './model-list';
import { connectionOf, openStream, type OpenStream } from './openai-client';

/** A list of models is small; a server that needs longer is not going to answer. */
const LIST_TIMEOUT_MS = 30_000;

/** Where an account's list of models is. Throws `address-invalid`. */
export function modelsUrl(account: Account): string {
  return `${connectionOf(account, null).url}/models`;
}

/** The chat models of `/models`. Throws what the gate throws. */
export async function fetchModelList(account: Account, io: ProviderIo): Promise<readonly ModelInfo[]> {
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
}

/** Opens a stream, leaving out what the host is known or says to refuse. Throws as `openStream` does. */
export async function openRequest(
  path: string,
  { modelId, body }: { readonly modelId: string; readonly body: JsonObject },
  account: Account,
  io: ProviderIo,
  learnt: LearntAdjustments,
): Promise<OpenStream> {
  const place = `${connectionOf(account, io.key).url} ${modelId}`;
  return openAdjusted({ body, place, learnt, adjustments: ADJUSTMENTS }, (accepted) => openStream(path, accepted, account, io));
}
