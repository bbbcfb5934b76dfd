import type { JsonObject } from '../../core/errors';
import type { ModelRequest } from '../../core/request';
import { mergeBody } from './json-body';
import { cacheFields } from './openai-request';
import { responsesInput } from './responses-input';
import { effortOf, type ResponsesQuirks } from './responses-quirks';
import { plainSchema } from './tool-schema';
import { wireNamesOf, type WireNames } from './wire-names';

export interface ResponsesOptions {
  readonly quirks: ResponsesQuirks;
  /** Whether the model reasons. `unknown`: nobody can say, so that only a level the user chose is sent. */
  readonly reasons: boolean | 'unknown';
  readonly sees: boolean;
  /** The account's own fields, merged last. */
  readonly extra: JsonObject;
}

const CACHE_KEY = { field: 'prompt_cache_key', maxLength: 64 } as const;

/** The body of a Responses request. A value that nobody set is left out, never null. */
export function responsesBody(request: ModelRequest, options: ResponsesOptions): JsonObject {
  const { quirks, sees } = options;
  const { temperature, topP, maxTokens } = request.sampling;
  const names = wireNamesOf(request);
  const instructions = request.system.filter((block) => block.trim() !== '').join('\n\n');
  const include = includesOf(request, options);
  const body: JsonObject = {
    model: request.modelId,
    ...(instructions === '' ? {} : { instructions }),
    input: responsesInput(request, { quirks, names, sees }),
    ...(temperature === undefined || quirks.fixedSampling ? {} : { temperature }),
    ...(topP === undefined || quirks.fixedSampling ? {} : { top_p: topP }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...reasoningOf(request, options),
    ...toolFields(request, names),
    store: request.store,
    ...(include.length === 0 ? {} : { include }),
    ...cacheFields(request.cacheKey, quirks.cacheKey ? CACHE_KEY : null),
    stream: request.stream,
  };
  return mergeBody(body, options.extra);
}

function includesOf(request: ModelRequest, { quirks, reasons }: ResponsesOptions): readonly string[] {
  return [
    // An answer that isn't kept has to bring its thinking along; asked of a model that doesn't think it is refused.
    ...(!request.store && reasons === true && quirks.summary ? ['reasoning.encrypted_content'] : []),
    ...(request.hostedSearch && quirks.searchSources ? ['web_search_call.action.sources'] : []),
  ];
}

function reasoningOf(request: ModelRequest, { quirks, reasons }: ResponsesOptions): JsonObject {
  if (reasons === false) return {};
  const effort = effortOf(quirks.efforts, request.reasoning, request.hostedSearch);
  const fields: JsonObject = {
    ...(quirks.summary && reasons === true ? { summary: 'auto' } : {}),
    ...(effort === undefined ? {} : { effort }),
  };
  return Object.keys(fields).length === 0 ? {} : { reasoning: fields };
}

function toolFields(request: ModelRequest, names: WireNames): JsonObject {
  const { toolChoice } = request;
  const functions = request.tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name: names.toWire(name),
    description,
    parameters: plainSchema(parameters),
    // Unsaid it means strict, which refuses most schemas.
    strict: false,
  }));
  const tools = [...functions, ...(request.hostedSearch ? [{ type: 'web_search' }] : [])];
  if (tools.length === 0) return {};
  if (toolChoice === 'auto' || functions.length === 0) return { tools };
  return { tools, tool_choice: typeof toolChoice === 'object' ? { type: 'function', name: names.toWire(toolChoice.name) } : toolChoice };
}
