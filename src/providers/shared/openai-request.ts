import type { JsonObject } from '../../core/errors';
import type { ModelRequest } from '../../core/request';
import { mergeBody } from './json-body';
import { chatMessages } from './openai-messages';
import type { ModelQuirks } from './openai-quirks';
import { reasoningFields } from './reasoning';
import { plainSchema } from './tool-schema';
import { wireNamesOf, type WireNames } from './wire-names';

export interface BodyOptions {
  readonly quirks: ModelQuirks;
  /** Whether the model reasons: others are sent no field for it. */
  readonly reasons: boolean;
  /** Whether the model sees pictures: others are told that there was one. */
  readonly sees?: boolean;
  /** The account's own fields, merged last. */
  readonly extra: JsonObject;
}

/** The body of a Chat Completions request. A value that nobody set is left out, never null: several hosts refuse null. */
export function chatBody(request: ModelRequest, options: BodyOptions): JsonObject {
  const { quirks } = options;
  const { temperature, topP, maxTokens } = request.sampling;
  const names = wireNamesOf(request);
  const body: JsonObject = {
    model: request.modelId,
    messages: chatMessages(request, { quirks, names, sees: options.sees ?? true }),
    ...(temperature === undefined || quirks.fixedSampling ? {} : { temperature }),
    ...(topP === undefined || quirks.fixedSampling ? {} : { top_p: topP }),
    ...(maxTokens === undefined ? {} : { [quirks.maxTokens]: maxTokens }),
    ...(options.reasons ? reasoningFields(quirks.reasoning, request.reasoning, request.modelId) : {}),
    stream: request.stream,
    ...(request.stream && quirks.streamOptions ? { stream_options: { include_usage: true } } : {}),
    ...toolFields(request, quirks, names),
    ...(request.hostedSearch ? quirks.hostedSearch : {}),
    ...cacheFields(request.cacheKey, quirks.cacheKey),
  };
  return mergeBody(body, options.extra);
}

/** The field of the cache's key, cut to what the host takes; nothing where it has none. */
export function cacheFields(cacheKey: string, rule: ModelQuirks['cacheKey']): JsonObject {
  return cacheKey === '' || rule === null ? {} : { [rule.field]: cacheKey.slice(0, rule.maxLength) };
}

function toolFields({ tools, toolChoice }: ModelRequest, quirks: ModelQuirks, names: WireNames): JsonObject {
  if (tools.length === 0) return {};
  const offered = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name: names.toWire(name), description, parameters: plainSchema(parameters) },
  }));
  if (toolChoice === 'auto') return { tools: offered };
  const choice =
    typeof toolChoice === 'object'
      ? { type: 'function', function: { name: names.toWire(toolChoice.name) } }
      : toolChoice === 'required'
        ? quirks.anyTool
        : toolChoice;
  return { tools: offered, tool_choice: choice };
}
