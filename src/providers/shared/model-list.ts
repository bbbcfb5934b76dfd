import type { ModelInfo } from '../../core/account';
import { isList, isRecord, recordAt, textAt, type UnknownRecord } from '../../outbound/json';
import { isOtherKind, lookUp } from '../catalogue';

/** Names under which servers tell how many tokens fit. */
const CONTEXT_FIELDS = [
  'context_length',
  'context_window',
  'contextLength',
  'contextWindow',
  'context_size',
  'context_tokens',
  'max_context_length',
  'max_context_window_tokens',
  'max_context_tokens',
  'max_context_size',
  'max_context',
  'max_model_len',
  'max_sequence_length',
  'max_seq_len',
  'max_position_embeddings',
  'loaded_context_length',
  'input_token_limit',
  'inputTokenLimit',
  'max_input_tokens',
  'max_prompt_tokens',
  'n_ctx',
  'n_ctx_train',
  'num_ctx',
  'ctx_len',
] as const;

/** Objects inside a model's entry that may hold such a field. */
const NESTED = ['architecture', 'capabilities', 'limits', 'metadata', 'meta', 'model_info', 'model_limits', 'top_provider'] as const;

/** No model reads more; a larger number is a size of something else. */
const MAX_CONTEXT_TOKENS = 10_000_000;

/** Kinds of models in lists that mix them. */
const CHAT_KINDS = /^(chat|language|llm|vlm|model|text|text-generation|base)$/i;

/** The chat models of a `/models` answer in any of its shapes, without doubles, ordered by id. */
export function readModelList(value: unknown): readonly ModelInfo[] {
  const entries = listIn(value).filter(isRecord);
  const models = new Map<string, ModelInfo>();
  for (const entry of entries) {
    const model = readModel(entry);
    if (model !== undefined) models.set(model.id, model);
  }
  return [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function listIn(value: unknown): readonly unknown[] {
  if (isList(value)) return value;
  if (!isRecord(value)) return [];
  return [value['data'], value['models']].find(isList) ?? [];
}

function readModel(entry: UnknownRecord): ModelInfo | undefined {
  const id = textAt(entry, 'id') ?? textAt(entry, 'model') ?? textAt(entry, 'name');
  if (id === undefined || isOtherKind(id)) return undefined;
  const kind = textAt(entry, 'type') ?? '';
  if (kind !== '' && !CHAT_KINDS.test(kind)) return undefined;
  const known = lookUp(id);
  const said = recordAt(entry, 'capabilities');
  const inputs = [entry['input_modalities'], recordAt(entry, 'architecture')['input_modalities'], entry['modalities']].find(isList);
  const parameters = isList(entry['supported_parameters']) ? entry['supported_parameters'] : undefined;
  return {
    id,
    name: textAt(entry, 'display_name') ?? (textAt(entry, 'id') === undefined ? id : (textAt(entry, 'name') ?? id)),
    capabilities: {
      vision: flag(said, 'vision') ?? inputs?.includes('image') ?? (kind === 'vlm' ? true : known.vision),
      tools: flag(said, 'function_calling') ?? flag(said, 'tools') ?? parameters?.includes('tools') ?? known.tools,
      reasoning: flag(said, 'reasoning') ?? parameters?.includes('reasoning') ?? known.reasoning,
      ...(inputs?.includes('audio') === true ? { audio: true } : {}),
      ...(inputs?.includes('file') === true ? { documents: true } : {}),
      contextTokens: contextOf(entry) ?? known.contextTokens,
    },
  };
}

function contextOf(entry: UnknownRecord): number | undefined {
  const places = [entry, ...NESTED.map((name) => recordAt(entry, name))];
  return places.flatMap((place) => CONTEXT_FIELDS.map((field) => parseTokens(place[field]))).find((tokens) => tokens !== undefined);
}

/** A count of tokens as a number or as text such as `128K` or `1M`. */
function parseTokens(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*([km]?)\s*$/i.exec(value) : null;
  const factor = { k: 1_000, m: 1_000_000 }[match?.[2]?.toLowerCase() ?? ''] ?? 1;
  const tokens = match === null ? value : Number(match[1]) * factor;
  return typeof tokens === 'number' && Number.isInteger(tokens) && tokens > 0 && tokens <= MAX_CONTEXT_TOKENS ? tokens : undefined;
}

function flag(record: UnknownRecord, key: string): boolean | undefined {
  const value = record[key];
  return typeof value === 'boolean' ? value : undefined;
}
