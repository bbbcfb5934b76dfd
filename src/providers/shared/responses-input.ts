import type { Json, JsonObject } from '../../core/errors';
import type { ModelRequest, RequestMessage, RequestPart } from '../../core/request';
import { isJsonObject } from './json-body';
import type { ResponsesQuirks } from './responses-quirks';
import { callArguments, isLaterStep, mergeNeighbours, noteOf, picturesNote, withoutBlanks, type CallPart } from './turns';
import { wireIdsOf, type WireIds } from './wire-ids';
import type { WireNames } from './wire-names';

export interface InputOptions {
  readonly quirks: ResponsesQuirks;
  readonly names: WireNames;
  readonly sees: boolean;
}

interface Context extends InputOptions {
  readonly ids: WireIds;
  readonly isStored: boolean;
}

/**
 * The items of the conversation. A message of the user or of the assistant is one item each; the calls of a step come together, then their
 * results. Thinking goes back whole or not at all, and only before the item that it led to.
 */
export function responsesInput(request: ModelRequest, options: InputOptions): readonly JsonObject[] {
  const context: Context = { ...options, ids: wireIdsOf(request), isStored: request.store };
  const turns = mergeNeighbours(request.history.map(withoutBlanks).filter((message) => message.parts.length > 0));
  const items: JsonObject[] = [];
  let pictures: readonly JsonObject[] = [];
  for (const turn of turns) {
    if (turn.role === 'user') {
      items.push(userItem([...pictures, ...turn.parts.flatMap(userContent)]));
      pictures = [];
      continue;
    }
    const said = assistantItems(turn, context);
    items.push(...said.items);
    pictures = said.pictures;
  }
  return pictures.length === 0 ? items : [...items, userItem(pictures)];
}

function userItem(content: readonly JsonObject[]): JsonObject {
  return { type: 'message', role: 'user', content };
}

function userContent(part: RequestPart): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'input_text', text: part.text }];
    case 'image':
      return [imageOf(part)];
    case 'file':
      return part.kind === 'document'
        ? [{ type: 'input_file', filename: part.name, file_data: `data:${part.mimeType};base64,${part.base64}` }]
        : [{ type: 'input_text', text: noteOf(part) }];
    case 'reasoning':
    case 'tool-call':
    case 'hosted':
      return [];
  }
}

/** A turn's items, and its pictures, which only a message of the user can hold. */
function assistantItems(
  turn: RequestMessage,
  context: Context,
): { readonly items: readonly JsonObject[]; readonly pictures: readonly JsonObject[] } {
  const items: JsonObject[] = [];
  const pictures: JsonObject[] = [];
  let results: JsonObject[] = [];
  /** Thinking that waits for what it led to. */
  let thoughts: JsonObject[] = [];
  let last: CallPart | undefined;
  const add = (item: JsonObject): void => {
    items.push(...thoughts, item);
    thoughts = [];
  };
  for (const part of turn.parts) {
    if (part.type !== 'tool-call' || isLaterStep(part, last)) {
      items.push(...results);
      results = [];
    }
    last = part.type === 'tool-call' ? part : undefined;
    switch (part.type) {
      case 'text':
        add(messageOf(part));
        break;
      case 'reasoning':
        if (isReplayable(part.opaque, context)) thoughts.push(part.opaque);
        break;
      case 'tool-call':
        add(callOf(part, context));
        results.push(resultOf(part, context));
        pictures.push(...resultPictures(part, context));
        break;
      case 'hosted':
        if (isJsonObject(part.opaque) && part.opaque['type'] !== 'mcp_approval_request') add(part.opaque);
        break;
      case 'image':
        pictures.push(imageOf(part));
        break;
      case 'file':
        break;
    }
  }
  return { items: [...items, ...results], pictures };
}

function messageOf(part: Extract<RequestPart, { type: 'text' }>): JsonObject {
  const phase = isJsonObject(part.opaque) ? part.opaque['phase'] : undefined;
  const content = [{ type: 'output_text', text: part.text }];
  return { type: 'message', role: 'assistant', ...(typeof phase === 'string' ? { phase } : {}), content };
}

/** Only what the server can read without having kept it: encrypted, or in plain words; a bare id means nothing to it. */
function isReplayable(opaque: Json | undefined, { isStored }: Context): opaque is JsonObject {
  if (!isJsonObject(opaque) || opaque['type'] !== 'reasoning') return false;
  const { encrypted_content: encrypted, content } = opaque;
  return isStored || (typeof encrypted === 'string' && encrypted !== '') || (Array.isArray(content) && content.length > 0);
}

function isCustom(call: CallPart): boolean {
  return isJsonObject(call.opaque) && call.opaque['type'] === 'custom_tool_call';
}

function callOf(call: CallPart, { ids, names }: Context): JsonObject {
  const common = { call_id: ids.toWire(call.callId), name: names.toWire(call.name) };
  return isCustom(call)
    ? { type: 'custom_tool_call', ...common, input: call.argumentsText }
    : { type: 'function_call', ...common, arguments: callArguments(call.argumentsText) };
}

function resultOf(call: CallPart, { ids, quirks, sees }: Context): JsonObject {
  const { text, images } = call.result;
  const isBlind = images.length > 0 && !sees;
  const words = isBlind ? [text, picturesNote(images.length)].filter((line) => line !== '').join('\n\n') : text;
  const shows = !isBlind && images.length > 0 && quirks.resultImages;
  return {
    type: isCustom(call) ? 'custom_tool_call_output' : 'function_call_output',
    call_id: ids.toWire(call.callId),
    output: shows ? [...(words === '' ? [] : [{ type: 'input_text', text: words }]), ...images.map(imageOf)] : words,
  };
}

function resultPictures(call: CallPart, { names, quirks, sees }: Context): readonly JsonObject[] {
  const { images } = call.result;
  if (images.length === 0 || !sees || quirks.resultImages) return [];
  return [{ type: 'input_text', text: `[From the result of ${names.toWire(call.name)}:]` }, ...images.map(imageOf)];
}

function imageOf({ mimeType, base64 }: { readonly mimeType: string; readonly base64: string }): JsonObject {
  return { type: 'input_image', image_url: `data:${mimeType === 'image/jpg' ? 'image/jpeg' : mimeType};base64,${base64}` };
}
