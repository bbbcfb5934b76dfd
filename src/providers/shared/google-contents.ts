import type { Json, JsonObject } from '../../core/errors';
import type { RequestMessage, RequestPart } from '../../core/request';
import { isRecord, parseJson, toJsonObject } from '../../outbound/json';
import { isGemini3, lacksSystem } from './google-models';
import { isJsonList, isJsonObject } from './json-body';
import { isLaterStep } from './turns';

type ToolCall = Extract<RequestPart, { type: 'tool-call' }>;

/** A run of parts that becomes one content, or calls that the model made together. */
type Group = { readonly type: 'content'; readonly parts: RequestPart[] } | { readonly type: 'calls'; readonly parts: ToolCall[] };

/** The maker's word for a signature that was lost or never was: the model then goes on without it. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

export interface ContentOptions {
  readonly modelId: string;
  readonly system: string;
  readonly toWire: (name: string) => string;
}

/**
 * The turns on the wire. An answer is split where it called functions: the calls close the model's turn, their results are a user turn of
 * their own, what the model said next begins another. Blank parts are left out, except those that carry a signature.
 */
export function googleContents(history: readonly RequestMessage[], options: ContentOptions): readonly JsonObject[] {
  const contents: JsonObject[] = [];
  // Results stand alone: as many as there were calls, and nothing else between.
  let isOpen = false;
  const add = (role: 'user' | 'model', parts: readonly JsonObject[]): void => {
    const last = contents.at(-1);
    if (parts.length === 0) return;
    if (isOpen && last?.['role'] === role) contents[contents.length - 1] = { role, parts: [...listOf(last['parts']), ...parts] };
    else contents.push({ role, parts });
    isOpen = true;
  };
  for (const message of withSystem(history, options)) {
    const role = message.role === 'assistant' ? 'model' : 'user';
    for (const group of groupsOf(message.parts)) {
      if (group.type === 'content')
        add(
          role,
          group.parts.flatMap((part) => contentPart(part, role, options)),
        );
      else {
        add(
          'model',
          group.parts.map((call, index) => callPart(call, index === 0, options)),
        );
        contents.push({ role: 'user', parts: group.parts.map((call) => resultPart(call, options)) });
        isOpen = false;
        if (!isGemini3(options.modelId))
          add(
            'user',
            group.parts.flatMap(({ result }) => result.images.map(inline)),
          );
      }
    }
  }
  return contents;
}

function withSystem(history: readonly RequestMessage[], { system, modelId }: ContentOptions): readonly RequestMessage[] {
  if (system === '' || !lacksSystem(modelId)) return history;
  const text: RequestPart = { type: 'text', text: system };
  const index = history.findIndex((message) => message.role === 'user');
  const first = history[index];
  return first === undefined
    ? [{ role: 'user', parts: [text] }, ...history]
    : history.with(index, { ...first, parts: [text, ...first.parts] });
}

/** Of calls made together the first alone is signed, so a signed call after another begins the next step. */
function groupsOf(parts: readonly RequestPart[]): readonly Group[] {
  const groups: Group[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.type !== 'tool-call') {
      if (last?.type === 'content') last.parts.push(part);
      else groups.push({ type: 'content', parts: [part] });
    } else if (last?.type === 'calls' && signatureOf(part.opaque) === undefined && !isLaterStep(part, last.parts.at(-1)))
      last.parts.push(part);
    else groups.push({ type: 'calls', parts: [part] });
  }
  return groups;
}

function contentPart(
  part: Exclude<RequestPart, ToolCall> | RequestPart,
  role: 'user' | 'model',
  options: ContentOptions,
): readonly JsonObject[] {
  switch (part.type) {
    case 'text': {
      const signature = signatureOf(part.opaque);
      if (signature !== undefined) return [{ text: part.text, thoughtSignature: signature }];
      return part.text.trim() === '' ? [] : [{ text: part.text }];
    }
    case 'image': {
      // Its signature is not kept; Gemini 3 refuses a picture of its own that has none.
      const needsSignature = role === 'model' && isGemini3(options.modelId);
      return [{ ...inline(part), ...(needsSignature ? { thoughtSignature: NO_SIGNATURE } : {}) }];
    }
    case 'file':
      return [inline(part)];
    case 'reasoning': {
      const signature = signatureOf(part.opaque);
      return signature === undefined ? [] : [{ text: part.text, thought: true, thoughtSignature: signature }];
    }
    case 'hosted':
      return isJsonObject(part.opaque) ? listOf(part.opaque['parts']) : [];
    case 'tool-call':
      return [];
  }
}

function callPart(call: ToolCall, isFirst: boolean, { modelId, toWire }: ContentOptions): JsonObject {
  const signature = signatureOf(call.opaque) ?? (isFirst && isGemini3(modelId) ? NO_SIGNATURE : undefined);
  const args = parseJson(call.argumentsText);
  return {
    functionCall: { ...idOf(call), name: toWire(call.name), args: isRecord(args) ? toJsonObject(args) : {} },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  };
}

function resultPart(call: ToolCall, { modelId, toWire }: ContentOptions): JsonObject {
  const { text, isError, images } = call.result;
  const inside = isGemini3(modelId) ? images : [];
  const named = inside.map((image, index) => ({ name: `image-${index + 1}`, image }));
  return {
    functionResponse: {
      ...idOf(call),
      name: toWire(call.name),
      response: {
        [isError ? 'error' : 'result']: text,
        ...(named.length === 0 ? {} : { images: named.map(({ name }) => ({ $ref: name })) }),
      },
      ...(named.length === 0
        ? {}
        : {
            parts: named.map(({ name, image }) => ({ inlineData: { mimeType: mimeTypeOf(image), data: image.base64, displayName: name } })),
          }),
    },
  };
}

/** Only where the wire had one: older models know no ids. */
function idOf(call: ToolCall): JsonObject {
  return call.wireId === '' ? {} : { id: call.wireId };
}

function inline(media: { readonly mimeType: string; readonly base64: string }): JsonObject {
  return { inlineData: { mimeType: mimeTypeOf(media), data: media.base64 } };
}

function mimeTypeOf({ mimeType }: { readonly mimeType: string }): string {
  const known: { readonly [name: string]: string } = { 'image/jpg': 'image/jpeg', 'audio/x-wav': 'audio/wav', 'audio/wave': 'audio/wav' };
  return known[mimeType] ?? mimeType;
}

function signatureOf(opaque: Json | undefined): string | undefined {
  const signature = isJsonObject(opaque) ? opaque['thoughtSignature'] : undefined;
  return typeof signature === 'string' ? signature : undefined;
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return isJsonList(value) ? value.filter(isJsonObject) : [];
}
