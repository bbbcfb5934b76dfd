import type { ModelInfo } from '../../core/account';
import { isList, isRecord, textAt } from '../../outbound/json';

/** The families of models behind `/images/generations`, with the version in their names. */
const GPT_IMAGE = /^(?:chat)?gpt-image-(?<version>\d+(?:\.\d+)?|latest)(?<variant>.*)$/i;
const DALL_E = /^dall-e-(?<version>\d+)$/i;

/** What a picture model takes besides the prompt. */
export type ImageDialect = 'gpt-image' | 'dall-e-3' | 'dall-e-2';

/** The family of a model by its id; null where it makes no pictures that we know how to ask for. */
export function imageDialectOf(modelId: string): ImageDialect | null {
  if (GPT_IMAGE.test(modelId)) return 'gpt-image';
  const version = DALL_E.exec(modelId)?.groups?.['version'];
  return version === undefined ? null : version === '2' ? 'dall-e-2' : 'dall-e-3';
}

/** The models of a `/models` answer that make pictures, marked: the newest first, the plain one before its smaller and dated variants. */
export function readImageModels(value: unknown): readonly ModelInfo[] {
  const entries = isRecord(value) && isList(value['data']) ? value['data'] : [];
  const ids = entries.flatMap((entry) => (isRecord(entry) ? (textAt(entry, 'id') ?? []) : []));
  return [...new Set(ids)]
    .filter((id) => imageDialectOf(id) !== null)
    .sort((a, b) => compare(rankOf(a), rankOf(b)) || (a < b ? -1 : 1))
    .map((id) => ({
      id,
      name: id,
      capabilities: { vision: false, tools: false, reasoning: false, contextTokens: null },
      makesImages: true,
    }));
}

/** Smaller is better, the first number first: family, version, variant. */
function rankOf(id: string): readonly number[] {
  const { version = '', variant = '' } = GPT_IMAGE.exec(id)?.groups ?? {};
  if (version === '') return [1, -Number(DALL_E.exec(id)?.groups?.['version'] ?? 0), 0];
  // An alias names a model that the list has as well, and may be another one tomorrow.
  return [0, version === 'latest' ? 0 : -Number(version), variant === '' ? 0 : variant.includes('mini') ? 2 : 1];
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((rank, index) => rank - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
