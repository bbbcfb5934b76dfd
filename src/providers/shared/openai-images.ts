import type { Account, ModelInfo } from '../../core/account';
import { AppError, type JsonObject } from '../../core/errors';
import type { PictureShape } from '../../core/picture';
import { isList, isRecord, parseJson, textAt } from '../../outbound/json';
import type { ImageRequest, MadeImage, ProviderIo } from '../provider';
import { imageDialectOf, type ImageDialect } from './image-models';
import { connectionOf } from './openai-client';

/** Pixels of each shape: what every model of the family takes. */
const SIZES: Readonly<Record<ImageDialect, Readonly<Record<PictureShape, string>>>> = {
  'gpt-image': { square: '1024x1024', landscape: '1536x1024', portrait: '1024x1536' },
  'dall-e-3': { square: '1024x1024', landscape: '1792x1024', portrait: '1024x1792' },
  'dall-e-2': { square: '1024x1024', landscape: '1024x1024', portrait: '1024x1024' },
};

/** The best picture model of a list, or null. */
export function imageModel(_account: Account, listed: readonly ModelInfo[]): string | null {
  return listed.find(({ makesImages }) => makesImages === true)?.id ?? null;
}

/** One picture by way of `/images/generations`, as `Provider.makeImage` promises it. An address in place of the picture is never followed. */
export async function makeImage(request: ImageRequest, account: Account, io: ProviderIo): Promise<MadeImage> {
  const { url, headers, ownHeaders } = connectionOf(account, io.key);
  const response = await io.gate.fetch(`${url}/images/generations`, {
    purpose: 'model',
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    ownHeaders,
    body: JSON.stringify(bodyOf(request)),
    signal: io.signal,
    expect: 'json',
  });
  return readImage(parseJson(await response.text()), new URL(url).host);
}

function bodyOf({ modelId, prompt, shape }: ImageRequest): JsonObject {
  // The user's own fields of the account are for chats and would be refused here.
  const dialect = imageDialectOf(modelId) ?? 'gpt-image';
  const body = { model: modelId, prompt, n: 1, size: SIZES[dialect][shape] };
  // The newer family gives bytes always and refuses to be told so.
  return dialect === 'gpt-image' ? body : { ...body, response_format: 'b64_json' };
}

function readImage(value: unknown, host: string): MadeImage {
  const answer = isRecord(value) ? value : {};
  const images = isList(answer['data']) ? answer['data'].filter(isRecord) : [];
  const base64 = images.map((image) => textAt(image, 'b64_json')).find((text) => text !== undefined);
  if (base64 === undefined) throw new AppError('provider-error', { details: { host, reason: 'no-image' } });
  return { mimeType: `image/${textAt(answer, 'output_format') ?? 'png'}`, base64 };
}
