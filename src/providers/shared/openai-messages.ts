import type { Json, JsonObject } from '../../core/errors';
import type { ModelRequest, RequestMessage, RequestPart } from '../../core/request';
import { isJsonList, isJsonObject } from './json-body';
import type { ModelQuirks } from './openai-quirks';
import { callArguments, groupSteps, mergeNeighbours, noteOf, picturesNote, withoutBlanks, type CallPart, type StepGroup } from './turns';
import { wireIdsOf, type WireIds } from './wire-ids';
import type { WireNames } from './wire-names';

export interface MessageOptions {
  readonly quirks: ModelQuirks;
  readonly names: WireNames;
  readonly sees: boolean;
}

interface Context extends MessageOptions {
  readonly ids: WireIds;
  /** Whether the turn is part of the tool loop that is going on. */
  readonly isLooping: boolean;
  /** Whether the model is to go on with the last words of this turn. */
  readonly isContinued: boolean;
}

/** A message of the user whose parts may still be joined with the next one's, or one that is finished. */
type Draft = { readonly parts: readonly RequestPart[] } | { readonly message: JsonObject };

/**
 * The messages on the wire: system blocks first as one message, blank parts and turns left out, neighbours of the same role made one.
 * A last turn of the assistant is to be continued: it stays last, without blanks at its end, which some models refuse.
 */
export function chatMessages(request: ModelRequest, options: MessageOptions): readonly JsonObject[] {
  const system = request.system.filter((block) => block.trim() !== '').join('\n\n');
  const turns = mergeNeighbours(request.history.map(withoutBlanks).filter((message) => message.parts.length > 0));
  const ids = wireIdsOf(request, options.quirks.ids);
  const drafts = turns.flatMap((turn, index) => draftsOf(turn, { ...options, ids, ...placeOf(turn, index === turns.length - 1) }));
  const messages = joinUsers(drafts).map((draft) => ('message' in draft ? draft.message : userMessage(draft.parts, options.quirks)));
  return system === '' ? messages : [{ role: 'system', content: system }, ...messages];
}

function placeOf(turn: RequestMessage, isLast: boolean): Pick<Context, 'isLooping' | 'isContinued'> {
  const isOpen = isLast && turn.role === 'assistant';
  const hasCalls = turn.parts.some((part) => part.type === 'tool-call');
  return { isLooping: isOpen && hasCalls, isContinued: isOpen && turn.parts.at(-1)?.type !== 'tool-call' };
}

function draftsOf(turn: RequestMessage, context: Context): readonly Draft[] {
  if (turn.role === 'user') return [{ parts: turn.parts }];
  const groups = groupSteps(turn.parts);
  return groups.flatMap((group, index) =>
    stepDrafts(group, { ...context, isContinued: context.isContinued && index === groups.length - 1 }),
  );
}

/** One step of the assistant: its words with its calls, then the results. */
function stepDrafts(group: StepGroup, context: Context): readonly Draft[] {
  const { quirks } = context;
  const content = group.content.filter((part) => part.type === 'text' || (quirks.assistantImages && part.type === 'image'));
  const pictures = quirks.assistantImages ? [] : group.content.filter((part) => part.type === 'image');
  const shown: readonly Draft[] = pictures.length === 0 ? [] : [{ parts: pictures }];
  const isEmpty = content.length === 0 && group.calls.length === 0;
  const words: readonly Draft[] = isEmpty ? [] : [{ message: assistantMessage(content, group, context) }];
  const results = group.calls.map((call): Draft => ({ message: resultMessage(call, context) }));
  // Nothing may stand after words that the model is to go on with.
  const said = context.isContinued ? [...shown, ...words] : [...words, ...results, ...shown];
  return [...said, ...resultPictures(group.calls, context)];
}

function assistantMessage(content: readonly RequestPart[], group: StepGroup, context: Context): JsonObject {
  const parts = context.isContinued ? withoutTrailingBlanks(content) : content;
  return {
    role: 'assistant',
    content: contentOf(parts, context.quirks),
    ...reasoningOf(group, context),
    ...(group.calls.length === 0 ? {} : { tool_calls: group.calls.map((call) => callOf(call, context)) }),
    ...(context.isContinued ? context.quirks.prefill : {}),
  };
}

function reasoningOf({ reasoning }: StepGroup, { quirks, isLooping }: Context): JsonObject {
  const { reasoningBack } = quirks;
  if (reasoningBack === 'details') {
    const details = reasoning.flatMap((part) => (isJsonList(part.opaque) ? part.opaque : []));
    return details.length === 0 ? {} : { reasoning_details: details };
  }
  const text = reasoning.map((part) => part.text).join('');
  const isWanted = isLooping && (reasoningBack === 'always' || (reasoningBack === 'text' && text !== ''));
  return isWanted ? { reasoning_content: text } : {};
}

function callOf(call: CallPart, { ids, names }: Context): JsonObject {
  return {
    id: ids.toWire(call.callId),
    type: 'function',
    function: { name: names.toWire(call.name), arguments: callArguments(call.argumentsText) },
    // What the server sent beside the call: Gemini's own endpoint wants its signature back.
    ...(isJsonObject(call.opaque) ? call.opaque : {}),
  };
}

function resultMessage(call: CallPart, { quirks, ids, names, sees }: Context): JsonObject {
  const { text, images } = call.result;
  const isBlind = images.length > 0 && !sees;
  const words = isBlind ? [text, picturesNote(images.length)].filter((line) => line !== '').join('\n\n') : text;
  const shown = !isBlind && images.length > 0 && quirks.resultImages === 'result';
  return {
    role: 'tool',
    tool_call_id: ids.toWire(call.callId),
    name: names.toWire(call.name),
    content: shown ? [...(words === '' ? [] : [{ type: 'text', text: words }]), ...images.map(imageOf)] : words,
  };
}

/** Pictures of results as a message of the user, for hosts whose results are text. */
function resultPictures(calls: readonly CallPart[], { quirks, names, sees }: Context): readonly Draft[] {
  if (!sees || quirks.resultImages === 'result') return [];
  const parts = calls.flatMap((call): readonly RequestPart[] =>
    call.result.images.length === 0
      ? []
      : [
          { type: 'text', text: `[From the result of ${names.toWire(call.name)}:]` },
          ...call.result.images.map((image) => ({ type: 'image', ...image }) as const),
        ],
  );
  return parts.length === 0 ? [] : [{ parts }];
}

function joinUsers(drafts: readonly Draft[]): readonly Draft[] {
  const joined: Draft[] = [];
  for (const draft of drafts) {
    const last = joined.at(-1);
    if ('parts' in draft && last !== undefined && 'parts' in last) joined[joined.length - 1] = { parts: [...last.parts, ...draft.parts] };
    else joined.push(draft);
  }
  return joined;
}

function userMessage(parts: readonly RequestPart[], quirks: ModelQuirks): JsonObject {
  return { role: 'user', content: contentOf(parts, quirks) };
}

function withoutTrailingBlanks(parts: readonly RequestPart[]): readonly RequestPart[] {
  return parts.map((part, index) => (part.type === 'text' && index === parts.length - 1 ? { ...part, text: part.text.trimEnd() } : part));
}

/** Plain text as a string, which every server takes; an array only where something else stands in it. */
function contentOf(parts: readonly RequestPart[], quirks: ModelQuirks): Json {
  const entries = parts.flatMap((part): readonly JsonObject[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type === 'image') return [imageOf(part)];
    return part.type === 'file' ? [fileOf(part, quirks)] : [];
  });
  const texts = entries.flatMap((entry) => (typeof entry['text'] === 'string' ? [entry['text']] : []));
  return texts.length === entries.length ? texts.join('\n\n') : entries;
}

function imageOf({ mimeType, base64 }: { readonly mimeType: string; readonly base64: string }): JsonObject {
  return { type: 'image_url', image_url: { url: `data:${mimeType === 'image/jpg' ? 'image/jpeg' : mimeType};base64,${base64}` } };
}

/** The two kinds of sound that the protocol knows. */
const SOUNDS: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

function fileOf(part: Extract<RequestPart, { type: 'file' }>, quirks: ModelQuirks): JsonObject {
  const { kind, mimeType, name, base64 } = part;
  const format = SOUNDS.get(mimeType);
  if (!quirks.files.includes(kind) || (kind === 'audio' && format === undefined)) return { type: 'text', text: noteOf(part) };
  return kind === 'document'
    ? { type: 'file', file: { filename: name, file_data: `data:${mimeType};base64,${base64}` } }
    : { type: 'input_audio', input_audio: { data: base64, format: format ?? '' } };
}
