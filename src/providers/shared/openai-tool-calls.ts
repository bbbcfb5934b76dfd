import type { StreamEvent } from '../../core/stream';
import { isRecord, numberAt, recordAt, textAt, toJson, type UnknownRecord } from '../../outbound/json';

interface OpenCall {
  readonly callId: string;
  readonly index: number | undefined;
  wireId: string;
  name: string;
  /** Arguments so far; kept here until the name is known. */
  held: string;
  isStarted: boolean;
  /** What the server sent beside the call and wants back with it; kept here until the call is started. */
  extra?: UnknownRecord;
}

/**
 * Reads tool calls out of deltas. A call is found by its index first, then by its id, then it is the last one: indexes are labels that may
 * be missing, begin anywhere or be the same for all; ids and names may come once, in every delta, empty or never.
 */
export interface ToolCallReader {
  readonly count: () => number;
  /** Events of one entry of a delta's list. */
  read(entry: unknown): readonly StreamEvent[];
  /** Starts calls whose name never came, so that they aren't lost. */
  end(): readonly StreamEvent[];
}

/**
 * A reader for one answer. Ids of calls are our own: those of the wire repeat from answer to answer. `fromWire` gives a tool's name for the
 * one on the wire.
 */
export function createToolCallReader(newId: () => string, fromWire: (name: string) => string = (name) => name): ToolCallReader {
  const calls: OpenCall[] = [];

  const open = (index: number | undefined, wireId: string): OpenCall => {
    const call: OpenCall = { callId: newId(), index, wireId, name: '', held: '', isStarted: false };
    calls.push(call);
    return call;
  };

  return {
    count: () => calls.length,
    read(entry) {
      if (!isRecord(entry)) return [];
      const details = recordAt(entry, 'function');
      const index = numberAt(entry, 'index');
      const wireId = textAt(entry, 'id') ?? '';
      const name = cleanName(textAt(details, 'name') ?? '');
      const known = findCall(calls, index, wireId, name);
      if (known === undefined && wireId === '' && name === '' && index === undefined) return [];
      const call = known ?? open(index, wireId);
      if (call.wireId === '' && !call.isStarted) call.wireId = wireId;
      if (call.name === '') call.name = name;
      if (isRecord(entry['extra_content'])) call.extra = entry['extra_content'];
      return advance(call, argumentsOf(details), fromWire);
    },
    end() {
      return calls.filter((call) => !call.isStarted).flatMap((call) => start(call, fromWire));
    },
  };
}

function findCall(calls: readonly OpenCall[], index: number | undefined, wireId: string, name: string): OpenCall | undefined {
  const last = calls.at(-1);
  if (index !== undefined) {
    const call = calls.findLast((candidate) => candidate.index === index);
    if (call === undefined) return undefined;
    // A new id, or another name, on a known index is a new call: some servers number every call 0.
    const isOther =
      (wireId !== '' && call.wireId !== '' && wireId !== call.wireId) || (name !== '' && call.name !== '' && name !== call.name);
    return isOther ? undefined : call;
  }
  if (wireId !== '') return calls.findLast((candidate) => candidate.wireId === wireId);
  return name === '' ? last : undefined;
}

function advance(call: OpenCall, argumentsText: string, fromWire: (name: string) => string): readonly StreamEvent[] {
  call.held += argumentsText;
  if (call.name === '') return [];
  return call.isStarted ? flush(call) : start(call, fromWire);
}

function start(call: OpenCall, fromWire: (name: string) => string): readonly StreamEvent[] {
  call.isStarted = true;
  return [{ type: 'tool-call-start', callId: call.callId, wireId: call.wireId, name: fromWire(call.name) }, ...flush(call)];
}

function flush(call: OpenCall): readonly StreamEvent[] {
  const { callId, held: argumentsText, extra } = call;
  call.held = '';
  delete call.extra;
  return [
    ...(extra === undefined ? [] : [{ type: 'tool-call-opaque', callId, data: { extra_content: toJson(extra) } } as const]),
    ...(argumentsText === '' ? [] : [{ type: 'tool-call-delta', callId, argumentsText } as const]),
  ];
}

/** Text as it comes; a few servers send the parsed object. */
function argumentsOf(details: UnknownRecord): string {
  const value = details['arguments'];
  if (typeof value === 'string') return value;
  return isRecord(value) ? JSON.stringify(value) : '';
}

/** A name without control tokens that leaked out of a server's parser. */
function cleanName(name: string): string {
  return (name.split('<|')[0] ?? '').trim();
}
