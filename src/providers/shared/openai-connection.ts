import type { Account, ModelInfo } from '../../core/account';
import type { JsonObject } from '../../core/errors';
import type { ProviderIo } from '../provider';
import { openAdjusted, type LearntAdjustments } from './adjusted-request';
import { ADJUSTMENTS } from './adjustments';
import { fetchListPage } from './connection';
import { readImageModels } from './image-models';
import { readModelList } from './model-list';
import { connectionOf, openStream, type OpenStream } from './openai-client';

/** Where an account's list of models is. Throws `address-invalid`. */
export function modelsUrl(account: Account): string {
  return `${connectionOf(account, null).url}/models`;
}

/** The chat models of `/models`, and after them those that make pictures. Throws what the gate throws. */
export async function fetchModelList(account: Account, io: ProviderIo): Promise<readonly ModelInfo[]> {
  const list = await fetchListPage(connectionOf(account, io.key), {}, io);
  return [...readModelList(list), ...readImageModels(list)];
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
