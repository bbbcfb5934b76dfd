import type { JsonObject, Json } from '../../core/errors';
import type { ModelRequest, RequestMessage, RequestPart } from '../../core/request';
import type { HostQuirks } from './openai-quirks';
import { reasoningFields } from './reasoning';

export interface BodyOptions {
  readonly quirks: HostQuirks & { readonly fixedSampling: boolean };
  /** Whether the model reasons: others are sent no field for it. */
  readonly reasons: boolean;
  /** The account's own fields, merged last. */
  readonly extra: JsonObject;
}

/** The body of a Chat Completions request. A value that nobody set is left out, never null: several hosts refuse null. */
export function chatBody(request: ModelRequest, options: BodyOptions): JsonObject {
  const { quirks } = options;
  const { temperature, topP, maxTokens } = request.sampling;
  const body: JsonObject = {
    model: request.modelId,
    messages: chatMessages(request, quirks.prefill),
    ...(temperature === undefined || quirks.fixedSampling ? {} : { temperature }),
    ...(topP === undefined || quirks.fixedSampling ? {} : { top_p: topP }),
    ...(maxTokens === undefined ? {} : { [quirks.maxTokens]: maxTokens }),
    ...(options.reasons ? reasoningFields(quirks.reasoning, request.reasoning, request.modelId) : {}),
    stream: request.stream,
    ...(request.stream && quirks.streamOptions ? { stream_options: { include_usage: true } } : {}),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map((tool) => ({ type: 'function', function: { ...tool } })) }),
  };
  return mergeBody(body, options.extra);
}

/** `extra` laid over `body`: object into object, anything else replaces; blank names are skipped. */
export function mergeBody(body: JsonObject, extra: JsonObject): JsonObject {
  const merged: { [key: string]: Json } = { ...body };
  for (const [key, value] of Object.entries(extra)) {
    if (key.trim() === '') continue;
    const old = merged[key];
    merged[key] = isJsonObject(old) && isJsonObject(value) ? mergeBody(old, value) : value;
  }
  return merged;
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The messages on the wire: system blocks first as one message, blank parts and turns left out, neighbours of the same role made one.
 * A last turn of the assistant is to be continued: it stays last, without blanks at its end, which some models refuse.
 */
function chatMessages(request: ModelRequest, prefill: JsonObject): readonly JsonObject[] {
  const system = request.system.filter((block) => block.trim() !== '').join('\n\n');
  const turns = mergeNeighbours(request.history.map(withoutBlanks).filter((message) => message.parts.length > 0));
  const messages = turns.flatMap((message, index): readonly JsonObject[] => {
    const isContinued = message.role === 'assistant' && index === turns.length - 1;
    const parts = isContinued ? withoutTrailingBlanks(message.parts) : message.parts;
    return [{ role: message.role, content: contentOf(parts), ...(isContinued ? prefill : {}) }];
  });
  return system === '' ? messages : [{ role: 'system', content: system }, ...messages];
}

function withoutBlanks(message: RequestMessage): RequestMessage {
  return { ...message, parts: message.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '') };
}

function mergeNeighbours(messages: readonly RequestMessage[]): readonly RequestMessage[] {
  const merged: RequestMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) merged[merged.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    else merged.push(message);
  }
  return merged;
}

function withoutTrailingBlanks(parts: readonly RequestPart[]): readonly RequestPart[] {
  return parts.map((part, index) => (part.type === 'text' && index === parts.length - 1 ? { ...part, text: part.text.trimEnd() } : part));
}

/** Plain text as a string, which every server takes; an array only where an image stands in it. */
function contentOf(parts: readonly RequestPart[]): Json {
  if (parts.every((part) => part.type === 'text')) return parts.map((part) => part.text).join('\n\n');
  return parts.map((part): JsonObject => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const mimeType = part.mimeType === 'image/jpg' ? 'image/jpeg' : part.mimeType;
    return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${part.base64}` } };
  });
}
