import type { Account, ModelInfo } from '../../core/account';
import { AppError, type JsonObject } from '../../core/errors';
import { parseJson } from '../../outbound/json';
import type { ProviderIo } from '../provider';
import { adjust, applyLearnt } from './adjustments';
import { readModelList } from './model-list';
import { connectionOf, openStream, type OpenStream } from './openai-client';

/** A list of models is small; a server that needs longer is not going to answer. */
const LIST_TIMEOUT_MS = 30_000;

/** Parameters that a model at a place refused; remembered as long as the worker lives. */
export type Learnt = Map<string, ReadonlySet<string>>;

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

/** Opens a stream, leaving out what the host is known or says to refuse; each change is tried once. Throws as `openStream` does. */
export async function openAdjusted(
  path: string,
  { modelId, body: wanted }: { readonly modelId: string; readonly body: JsonObject },
  account: Account,
  io: ProviderIo,
  learnt: Learnt,
): Promise<OpenStream> {
  const place = `${connectionOf(account, io.key).url} ${modelId}`;
  const known = learnt.get(place) ?? new Set<string>();
  const tried = new Set<string>();
  let body = applyLearnt(wanted, known);
  for (;;) {
    try {
      const stream = await openStream(path, body, account, io);
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
