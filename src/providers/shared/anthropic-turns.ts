import type { Json, JsonObject } from '../../core/errors';
import type { ModelRequest, RequestMessage, RequestPart } from '../../core/request';
import { isRecord, parseJson, toJsonObject } from '../../outbound/json';
import { isJsonList, isJsonObject } from './json-body';
import { isLaterStep, noteOf } from './turns';
import { wireIdsOf, type IdRule, type WireIds } from './wire-ids';
import type { WireNames } from './wire-names';

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

type TextBlock = JsonObject & { readonly text: string };
type ToolCallPart = Extract<RequestPart, { type: 'tool-call' }>;

/** How calls and tools are called in this request. */
interface Wire {
  readonly ids: WireIds;
  readonly names: WireNames;
}

const ID_RULE: IdRule = { valid: /^[a-zA-Z0-9_-]{1,64}$/, madeLength: 10 };

/** The protocol wants the user to begin; a window over a long conversation may begin with an answer. */
const OPENING: Turn = { role: 'user', content: [{ type: 'text', text: '(The conversation goes on from here.)' }] };

/** The only picture types the protocol takes by their right names. */
const MIME_TYPES: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg' };

/**
 * The history as alternating turns. Results of calls stand first in the user turn after them; blank text is left out; thinking goes back
 * only in the very form in which it came, and never at the end of a turn; the last turn of the assistant, which is to be continued, has no
 * blanks at its end.
 */
export function turnsOf(request: Pick<ModelRequest, 'history'>, names: WireNames): readonly Turn[] {
  const { history } = request;
  const wire: Wire = { ids: wireIdsOf(request, ID_RULE), names };
  const turns = history.flatMap((message, index) =>
    message.role === 'user' ? [userTurn(message)] : assistantTurns(message, index === history.length - 1, wire),
  );
  const merged = mergeNeighbours(turns.map(withoutLastThoughts).filter((turn) => turn.content.length > 0));
  const ended = withoutLastBlanks(merged);
  return ended[0]?.role === 'assistant' ? [OPENING, ...ended] : ended;
}

function userTurn(message: RequestMessage): Turn {
  return { role: 'user', content: message.parts.flatMap(inputBlocks) };
}

/** Text, pictures and documents, and a note for sound, which the protocol has no block for. */
function inputBlocks(part: RequestPart): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text);
    case 'image':
      return [imageBlock(part)];
    case 'file': {
      const source = { type: 'base64', media_type: part.mimeType, data: part.base64 };
      return part.kind === 'document' ? [{ type: 'document', source, title: part.name }] : textBlocks(noteOf(part));
    }
    case 'reasoning':
    case 'tool-call':
    case 'hosted':
      return [];
  }
}

/** A stored answer holds all its steps: what comes after calls was written after their results, so it begins another turn. */
function assistantTurns(message: RequestMessage, isLast: boolean, { ids, names }: Wire): readonly Turn[] {
  const turns: Turn[] = [];
  let said: JsonObject[] = [];
  let heard: JsonObject[] = [];
  let last: ToolCallPart | undefined;
  const close = (): void => {
    turns.push({ role: 'assistant', content: said }, { role: 'user', content: heard });
    said = [];
    heard = [];
    last = undefined;
  };
  message.parts.forEach((part, index) => {
    if (part.type === 'tool-call') {
      if (isLaterStep(part, last)) close();
      last = part;
      const id = ids.toWire(part.callId);
      said.push({ type: 'tool_use', id, name: names.toWire(part.name), input: inputOf(part.argumentsText) });
      heard.push(resultBlock(part, id));
    } else if (part.type === 'image' || part.type === 'file') {
      // Only users may show something.
      heard.push(...inputBlocks(part));
    } else {
      if (heard.length > 0) close();
      said.push(...outputBlocks(part, isLast && index === message.parts.length - 1));
    }
  });
  close();
  return turns;
}

function outputBlocks(part: Extract<RequestPart, { type: 'text' | 'reasoning' | 'hosted' }>, mayBeOpen: boolean): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return citedBlocks(part.text, part.opaque) ?? textBlocks(part.text);
    case 'reasoning':
      return isJsonObject(part.opaque) ? [part.opaque] : [];
    case 'hosted': {
      const blocks = listOf(part.opaque).filter(isJsonObject);
      // Work without its result is only taken where the server is to go on with it.
      return blocks.length > 1 || mayBeOpen ? blocks : [];
    }
  }
}

/** Text in the blocks in which it came, with what they cite, as long as it still is that text. Blank blocks are refused: they join another. */
function citedBlocks(text: string, opaque: Json | undefined): readonly JsonObject[] | undefined {
  const blocks = listOf(opaque).flatMap((block) => (isTextBlock(block) ? [block] : []));
  if (blocks.length === 0 || blocks.map((block) => block.text).join('') !== text) return undefined;
  const joined: TextBlock[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (block.text.trim() !== '') joined.push(block);
    else if (last !== undefined) joined[joined.length - 1] = { ...last, text: last.text + block.text };
  }
  return joined;
}

function isTextBlock(block: Json): block is TextBlock {
  return isJsonObject(block) && block['type'] === 'text' && typeof block['text'] === 'string';
}

function textBlocks(text: string): readonly JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function imageBlock(image: { readonly mimeType: string; readonly base64: string }): JsonObject {
  return { type: 'image', source: { type: 'base64', media_type: MIME_TYPES[image.mimeType] ?? image.mimeType, data: image.base64 } };
}

function resultBlock({ result }: ToolCallPart, id: string): JsonObject {
  const content = [...textBlocks(result.text), ...result.images.map(imageBlock)];
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(content.length === 0 ? {} : { content }),
    ...(result.isError ? { is_error: true } : {}),
  };
}

/** Arguments have to be an object. What was none is shown to the model as it wrote it, so that its error result makes sense. */
function inputOf(argumentsText: string): JsonObject {
  if (argumentsText.trim() === '') return {};
  const value = parseJson(argumentsText);
  return isRecord(value) ? toJsonObject(value) : { unreadable: argumentsText };
}

function mergeNeighbours(turns: readonly Turn[]): readonly Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last?.role === turn.role) merged[merged.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] };
    else merged.push(turn);
  }
  return merged.map((turn) => (turn.role === 'user' ? { ...turn, content: resultsFirst(turn.content) } : turn));
}

function resultsFirst(content: readonly JsonObject[]): readonly JsonObject[] {
  const isResult = (block: JsonObject): boolean => block['type'] === 'tool_result';
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

/** The server refuses thinking that nothing follows: what a stop leaves behind, or work whose result never came. */
function withoutLastThoughts(turn: Turn): Turn {
  const index = turn.content.findLastIndex((block) => block['type'] !== 'thinking' && block['type'] !== 'redacted_thinking');
  return { ...turn, content: turn.content.slice(0, index + 1) };
}

function withoutLastBlanks(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || typeof block?.['text'] !== 'string') return turns;
  return [...turns.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), { ...block, text: block['text'].trimEnd() }] }];
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : [];
}
