import type { StreamEvent } from '../../core/stream';
import { isList, isRecord, textAt, toJson, type UnknownRecord } from '../../outbound/json';
import { hostedEvents, hostedState, isHostedItem } from './responses-hosted';

/** One item of an answer while it arrives. Items are told apart by their place: some gateways give another id in every event. */
interface OpenItem {
  readonly place: number;
  readonly id: string;
  readonly type: string;
  /** Of a call: our id. */
  readonly callId: string;
  isStarted: boolean;
  isFinished: boolean;
  hasArguments: boolean;
  /** Places of content or summary whose text came in deltas. */
  readonly written: Set<string>;
  hasAnnotations: boolean;
  /** The last piece of thought, to see where the next one begins. */
  lastPiece: string;
}

/** Events of the items of one answer. */
export interface ItemReader {
  readonly hasCalls: () => boolean;
  readonly isEmpty: () => boolean;
  begin(place: number, item: UnknownRecord): readonly StreamEvent[];
  /** What the finished item holds beyond what its deltas said. */
  finish(place: number, item: UnknownRecord): readonly StreamEvent[];
  text(place: number, piece: string, kind: 'text-delta' | 'refusal-delta', text: string, isWhole: boolean): readonly StreamEvent[];
  thought(place: number, piece: string, text: string, isWhole: boolean): readonly StreamEvent[];
  arguments(place: number, text: string, isWhole: boolean): readonly StreamEvent[];
  annotation(place: number, annotation: unknown): readonly StreamEvent[];
  /** Work of the server that has ended; its item is still to come. */
  state(place: number, status: 'done' | 'failed'): readonly StreamEvent[];
}

/** A reader for one answer. Ids of calls are our own. `fromWire` gives a tool's name for the one on the wire. */
export function createItemReader(newId: () => string, fromWire: (name: string) => string): ItemReader {
  const items = new Map<number, OpenItem>();
  /** Where the words that were written last belong: others begin a new part. */
  let lastText = '';

  const at = (place: number, item: UnknownRecord = {}): OpenItem => {
    const known = items.get(place);
    const opened = known ?? openItem(place, item, newId);
    items.set(place, opened);
    return opened;
  };

  const startCall = (open: OpenItem, item: UnknownRecord): readonly StreamEvent[] => startOf(open, item, fromWire);

  const reader: ItemReader = {
    hasCalls: () => [...items.values()].some((item) => item.isStarted && isCall(item.type)),
    isEmpty: () => items.size === 0,
    begin(place, item) {
      const open = at(place, item);
      if (isCall(open.type)) return startCall(open, item);
      if (!isHostedItem(open.type) || open.isStarted) return [];
      open.isStarted = true;
      return [hostedState(open.id, item, 'running')];
    },
    finish(place, item) {
      const open = at(place, item);
      if (open.isFinished) return [];
      open.isFinished = true;
      if (isCall(open.type)) {
        const text = textAt(item, open.type === 'custom_tool_call' ? 'input' : 'arguments') ?? '';
        return [...startCall(open, item), ...reader.arguments(place, text, true)];
      }
      if (isHostedItem(open.type)) return hostedEvents(open.id, item);
      if (open.type === 'reasoning')
        return [...thoughtsIn(reader, place, item), { type: 'reasoning-opaque', data: toJson(item) }, { type: 'part-end' }];
      return open.type === 'message' ? messageIn(reader, open, item) : [];
    },
    text(place, piece, kind, text, isWhole) {
      const open = at(place, { type: 'message' });
      if (text === '' || (isWhole && open.written.has(piece))) return [];
      open.written.add(piece);
      const key = `${place} ${piece}`;
      const isOther = lastText !== '' && lastText !== key;
      lastText = key;
      return [...(isOther ? [{ type: 'part-end' } as const] : []), { type: kind, text }];
    },
    thought(place, piece, text, isWhole) {
      const open = at(place, { type: 'reasoning' });
      // A server that sends both the thought and its summary says the same thing twice.
      const isOtherKind = open.lastPiece !== '' && open.lastPiece.charAt(0) !== piece.charAt(0);
      if (text === '' || isOtherKind || (isWhole && open.written.has(piece))) return [];
      open.written.add(piece);
      const isNext = open.lastPiece !== '' && open.lastPiece !== piece;
      open.lastPiece = piece;
      return [...(isNext ? [{ type: 'part-end' } as const] : []), { type: 'reasoning-delta', text }];
    },
    arguments(place, text, isWhole) {
      const open = items.get(place);
      if (open === undefined || text === '' || !open.isStarted || (isWhole && open.hasArguments)) return [];
      open.hasArguments = true;
      return [{ type: 'tool-call-delta', callId: open.callId, argumentsText: text }];
    },
    annotation(place, annotation) {
      at(place, { type: 'message' }).hasAnnotations = true;
      return citationOf(annotation);
    },
    state(place, status) {
      const open = items.get(place);
      return open === undefined || !open.isStarted || open.isFinished ? [] : [hostedState(open.id, { type: open.type }, status)];
    },
  };
  return reader;
}

function openItem(place: number, item: UnknownRecord, newId: () => string): OpenItem {
  const type = textAt(item, 'type') ?? '';
  return {
    place,
    id: textAt(item, 'id') ?? `item-${place}`,
    type,
    callId: isCall(type) ? newId() : '',
    isStarted: false,
    isFinished: false,
    hasArguments: false,
    written: new Set(),
    hasAnnotations: false,
    lastPiece: '',
  };
}

/** Starts a call once its name is known. */
function startOf(open: OpenItem, item: UnknownRecord, fromWire: (name: string) => string): readonly StreamEvent[] {
  const name = textAt(item, 'name');
  if (open.isStarted || name === undefined) return [];
  open.isStarted = true;
  const { callId } = open;
  const start: StreamEvent = { type: 'tool-call-start', callId, wireId: textAt(item, 'call_id') ?? '', name: fromWire(name) };
  return open.type === 'custom_tool_call' ? [start, { type: 'tool-call-opaque', callId, data: { type: open.type } }] : [start];
}

function isCall(type: string): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

function thoughtsIn(reader: ItemReader, place: number, item: UnknownRecord): readonly StreamEvent[] {
  const pieces = (list: unknown, kind: 's' | 'c'): readonly StreamEvent[] =>
    entriesOf(list).flatMap((entry, index) => reader.thought(place, `${kind}${index}`, textAt(entry, 'text') ?? '', true));
  return [...pieces(item['summary'], 's'), ...pieces(item['content'], 'c')];
}

function messageIn(reader: ItemReader, open: OpenItem, item: UnknownRecord): readonly StreamEvent[] {
  const cites = !open.hasAnnotations;
  const content = entriesOf(item['content']).flatMap((entry, index): readonly StreamEvent[] => {
    if (entry['type'] === 'refusal') return reader.text(open.place, `r${index}`, 'refusal-delta', textAt(entry, 'refusal') ?? '', true);
    const words = reader.text(open.place, `t${index}`, 'text-delta', textAt(entry, 'text') ?? '', true);
    return cites ? [...words, ...entriesOf(entry['annotations']).flatMap(citationOf)] : words;
  });
  const phase = textAt(item, 'phase');
  // Whether these words were said on the way or are the answer has to come back with them.
  return phase === undefined || open.written.size === 0 ? content : [...content, { type: 'text-opaque', data: { phase } }];
}

function entriesOf(list: unknown): readonly UnknownRecord[] {
  return isList(list) ? list.filter(isRecord) : [];
}

function citationOf(annotation: unknown): readonly StreamEvent[] {
  if (!isRecord(annotation) || annotation['type'] !== 'url_citation') return [];
  const url = textAt(annotation, 'url');
  return url === undefined || !/^https?:\/\//i.test(url) ? [] : [{ type: 'citation', url, title: textAt(annotation, 'title') ?? '' }];
}
