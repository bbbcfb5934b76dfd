import type { JsonObject } from '../../core/errors';
import type { ModelRequest, ToolDefinition } from '../../core/request';
import { markForCache } from './anthropic-cache';
import type { AnthropicModel } from './anthropic-models';
import { planThinking } from './anthropic-thinking';
import { turnsOf } from './anthropic-turns';
import { mergeBody } from './json-body';
import { plainSchema } from './tool-schema';
import type { WireNames } from './wire-names';

/** The protocol demands a limit; this one is out of the way of every real answer. */
const DEFAULT_MAX_TOKENS = 64_000;

/** With thinking on, a smaller top_p is refused. */
const MIN_TOP_P = 0.95;

const WEB_SEARCH: JsonObject = { type: 'web_search_20250305', name: 'web_search' };

export interface MessagesBodyOptions {
  readonly model: AnthropicModel;
  readonly names: WireNames;
  /** Whether the model reasons: others are sent no field for it. */
  readonly reasons: boolean;
  /** The account's own fields, merged last. */
  readonly extra: JsonObject;
}

/** The body of a Messages request. */
export function messagesBody(request: ModelRequest, options: MessagesBodyOptions): JsonObject {
  const { model, names } = options;
  const level = options.reasons ? request.reasoning : 'auto';
  const thinking = planThinking(model, level, request.sampling.maxTokens, DEFAULT_MAX_TOKENS);
  const tools = [...request.tools.map((tool) => toolOf(tool, names)), ...(request.hostedSearch ? [WEB_SEARCH] : [])];
  const system = request.system.filter((text) => text.trim() !== '').map((text) => ({ type: 'text', text }));
  const marked = markForCache({ system, tools, messages: turnsOf(request, names) });
  const body: JsonObject = {
    model: request.modelId,
    max_tokens: thinking.maxTokens,
    ...(marked.system.length === 0 ? {} : { system: marked.system }),
    messages: marked.messages.map(({ role, content }) => ({ role, content })),
    ...samplingFields(request, model, thinking.isOn),
    ...thinking.fields,
    ...(marked.tools.length === 0 ? {} : { tools: marked.tools, ...choiceField(request, thinking.isOn, names) }),
    stream: request.stream,
  };
  return mergeBody(body, options.extra);
}

function toolOf({ name, description, parameters }: ToolDefinition, names: WireNames): JsonObject {
  return { name: names.toWire(name), description, input_schema: plainSchema(parameters) };
}

/** `auto` is what the server does by itself. A model that thinks may not be forced to call. */
function choiceField({ toolChoice }: ModelRequest, isThinking: boolean, names: WireNames): JsonObject {
  if (toolChoice === 'auto') return {};
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } };
  if (isThinking) return { tool_choice: { type: 'auto' } };
  return { tool_choice: toolChoice === 'required' ? { type: 'any' } : { type: 'tool', name: names.toWire(toolChoice.name) } };
}

function samplingFields({ sampling }: ModelRequest, model: AnthropicModel, isThinking: boolean): JsonObject {
  if (model.sampling === 'none') return {};
  // The scale ends at 1 here, at 2 elsewhere.
  const temperature = isThinking || sampling.temperature === undefined ? undefined : Math.min(sampling.temperature, 1);
  const isTaken = model.sampling === 'one' && temperature !== undefined;
  const isTooSmall = isThinking && (sampling.topP ?? 1) < MIN_TOP_P;
  const topP = isTaken || isTooSmall ? undefined : sampling.topP;
  return { ...(temperature === undefined ? {} : { temperature }), ...(topP === undefined ? {} : { top_p: topP }) };
}
