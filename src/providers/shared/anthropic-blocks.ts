import type { JsonObject } from '../../core/errors';
import type { StreamEvent } from '../../core/stream';
import { isList, isRecord, textAt, toJson, toJsonObject, type UnknownRecord } from '../../outbound/json';
import { createHostedReader, type HostedReader } from './anthropic-hosted';
import type { WireNames } from './wire-names';

/** One content block while it is read. */
interface Block {
  readonly begun: readonly StreamEvent[];
  readonly delta: (delta: UnknownRecord) => readonly StreamEvent[];
  readonly stop: () => readonly StreamEvent[];
}

/** What the blocks of an answer know of each other. */
interface Answer {
  readonly newId: () => string;
  readonly names: WireNames;
  readonly hosted: HostedReader;
  callCount: number;
  hasParts: boolean;
  /** How many thoughts were begun: a late signature may only reach the last. */
  thoughts: number;
  /** The text blocks that make up the part being written, in the form in which they go back. */
  run: JsonObject[];
}

/** Reads the content blocks of one answer. Deltas belong to the block of their index; those of unknown kinds say nothing. */
export interface BlockReader {
  readonly callCount: () => number;
  start(index: number, raw: UnknownRecord): readonly StreamEvent[];
  delta(index: number, delta: UnknownRecord): readonly StreamEvent[];
  stop(index: number): readonly StreamEvent[];
  /** Stops what nobody stopped. */
  end(): readonly StreamEvent[];
}

/** What a delta whose block was never begun must belong to. */
const IMPLIED_TYPES: Readonly<Record<string, string>> = { text_delta: 'text', thinking_delta: 'thinking' };

/** A reader for one answer. Ids of calls are our own: those of the wire may repeat from answer to answer. */
export function createBlockReader(newId: () => string, names: WireNames): BlockReader {
  const answer: Answer = { newId, names, hosted: createHostedReader(), callCount: 0, hasParts: false, thoughts: 0, run: [] };
  const blocks = new Map<number, Block>();
  const open = new Set<number>();

  const noted = (events: readonly StreamEvent[]): readonly StreamEvent[] => {
    answer.hasParts ||= events.length > 0;
    return events;
  };
  const start = (index: number, raw: UnknownRecord): readonly StreamEvent[] => {
    const block = beginBlock(raw, answer);
    blocks.set(index, block);
    open.add(index);
    return noted(block.begun);
  };
  const stop = (index: number): readonly StreamEvent[] => (open.delete(index) ? noted(blocks.get(index)?.stop() ?? []) : []);

  return {
    callCount: () => answer.callCount,
    start,
    delta(index, delta) {
      const type = IMPLIED_TYPES[textAt(delta, 'type') ?? ''];
      const begun = blocks.has(index) || type === undefined ? [] : start(index, { type });
      return noted([...begun, ...(blocks.get(index)?.delta(delta) ?? [])]);
    },
    stop,
    end: () => [...open].flatMap(stop),
  };
}

function beginBlock(raw: UnknownRecord, answer: Answer): Block {
  const type = textAt(raw, 'type') ?? '';
  if (type === 'text') return textBlock(raw, answer);
  const isUse = type === 'server_tool_use' || type === 'mcp_tool_use';
  const isKnown = isUse || ['thinking', 'redacted_thinking', 'tool_use'].includes(type) || textAt(raw, 'tool_use_id') !== undefined;
  if (!isKnown) return passive([]);
  // Whatever stands between two texts parts them.
  answer.run = [];
  if (isUse) return hostedBlock(raw, answer);
  switch (type) {
    case 'thinking':
      return thinkingBlock(raw, answer);
    case 'redacted_thinking':
      return passive([...beginReasoning('', answer), { type: 'reasoning-opaque', data: toJson(raw) }, { type: 'part-end' }]);
    case 'tool_use':
      return callBlock(raw, answer);
    default:
      return passive(answer.hosted.finish(raw));
  }
}

/** A block that is complete with its start. */
function passive(begun: readonly StreamEvent[]): Block {
  return { begun, delta: () => [], stop: () => [] };
}

function textBlock(raw: UnknownRecord, answer: Answer): Block {
  let text = textAt(raw, 'text') ?? '';
  const citations = isList(raw['citations']) ? raw['citations'].filter(isRecord) : [];
  return {
    begun: textDelta(text),
    delta(delta) {
      if (isRecord(delta['citation'])) citations.push(delta['citation']);
      const more = textAt(delta, 'text') ?? '';
      text += more;
      return textDelta(more);
    },
    stop() {
      if (text === '') return [];
      const { run } = answer;
      run.push({ type: 'text', text, ...(citations.length === 0 ? {} : { citations: citations.map(toJsonObject) }) });
      const isCited = run.some((block) => 'citations' in block);
      // Only now: a mark belongs behind the words, and servers name the source before them.
      return [...citations.flatMap(citationEvents), ...(isCited ? [{ type: 'text-opaque', data: [...run] } as const] : [])];
    },
  };
}

function thinkingBlock(raw: UnknownRecord, answer: Answer): Block {
  let text = textAt(raw, 'thinking') ?? '';
  let signature = textAt(raw, 'signature') ?? '';
  let hasStopped = false;
  answer.thoughts += 1;
  const own = answer.thoughts;
  const sealed = (): StreamEvent => ({ type: 'reasoning-opaque', data: { type: 'thinking', thinking: text, signature } });
  return {
    begun: beginReasoning(text, answer),
    delta(delta) {
      signature = textAt(delta, 'signature') ?? signature;
      const more = textAt(delta, 'thinking') ?? '';
      text += more;
      if (more !== '') return [{ type: 'reasoning-delta', text: more }];
      return hasStopped && own === answer.thoughts && signature !== '' ? [sealed()] : [];
    },
    stop() {
      hasStopped = true;
      // Without a signature the part stays open for one that comes late.
      return signature === '' ? [] : [sealed(), { type: 'part-end' }];
    },
  };
}

function callBlock(raw: UnknownRecord, answer: Answer): Block {
  const callId = answer.newId();
  // Whole where a server sends the arguments with the start.
  const input = isRecord(raw['input']) ? raw['input'] : {};
  let hasArguments = false;
  answer.callCount += 1;
  return {
    begun: [{ type: 'tool-call-start', callId, wireId: textAt(raw, 'id') ?? '', name: answer.names.fromWire(textAt(raw, 'name') ?? '') }],
    delta(delta) {
      const argumentsText = textAt(delta, 'partial_json') ?? '';
      hasArguments ||= argumentsText !== '';
      return argumentsText === '' ? [] : [{ type: 'tool-call-delta', callId, argumentsText }];
    },
    stop() {
      if (hasArguments || Object.keys(input).length === 0) return [];
      return [{ type: 'tool-call-delta', callId, argumentsText: JSON.stringify(input) }];
    },
  };
}

function hostedBlock(raw: UnknownRecord, { hosted }: Answer): Block {
  let inputText = '';
  return {
    begun: hosted.start(raw),
    delta(delta) {
      inputText += textAt(delta, 'partial_json') ?? '';
      return [];
    },
    stop: () => hosted.stop(raw, inputText),
  };
}

function textDelta(text: string): readonly StreamEvent[] {
  return text === '' ? [] : [{ type: 'text-delta', text }];
}

/** A part of its own, even next to another and without a word: it may hold a signature. */
function beginReasoning(text: string, { hasParts }: Answer): readonly StreamEvent[] {
  return [...(hasParts ? [{ type: 'part-end' } as const] : []), { type: 'reasoning-delta', text }];
}

/** Sources on the web; places in the user's own documents have no address. */
function citationEvents(citation: UnknownRecord): readonly StreamEvent[] {
  const url = textAt(citation, 'url') ?? '';
  if (!/^https?:\/\//i.test(url)) return [];
  const citedText = textAt(citation, 'cited_text');
  return [{ type: 'citation', url, title: textAt(citation, 'title') ?? url, ...(citedText === undefined ? {} : { citedText }) }];
}
