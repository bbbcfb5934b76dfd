import type { Json } from '../../core/errors';
import type { StreamEvent } from '../../core/stream';
import { isList, isRecord, numberAt, recordAt, textAt, toJson, type UnknownRecord } from '../../outbound/json';
import { isJsonList } from './json-body';

/** A list index beyond this is no list of arguments; filling it up would only cost memory. */
const MAX_INDEX = 10_000;

interface OpenCall {
  readonly callId: string;
  args: Json;
}

export interface CallReader {
  /** Events of one `functionCall` part: a whole call, the start of one, or a piece of the one that is open. */
  read(part: UnknownRecord): readonly StreamEvent[];
  /** Closes a call that is still open. `isWhole`: the answer ended well, so what came of the arguments is all there is. */
  end(isWhole: boolean): readonly StreamEvent[];
  count(): number;
}

/**
 * Reads the function calls of one answer; `nameOf` gives the tool that a name on the wire means. Arguments that come in pieces, each with its JSON path, are handed on when the call is
 * complete: a half-filled object would look like a whole one. A call that was cut is handed on as JSON without its end.
 */
export function createCallReader(newId: () => string, nameOf: (wireName: string) => string): CallReader {
  let open: OpenCall | undefined;
  let calls = 0;

  const close = (isWhole: boolean): readonly StreamEvent[] => {
    if (open === undefined) return [];
    const { callId, args } = open;
    open = undefined;
    const text = JSON.stringify(args);
    return [{ type: 'tool-call-delta', callId, argumentsText: isWhole ? text : text.slice(0, -1) }];
  };

  return {
    read(part) {
      const call = recordAt(part, 'functionCall');
      const name = textAt(call, 'name');
      const events: StreamEvent[] = [];
      if (name !== undefined) {
        events.push(...close(true));
        open = { callId: newId(), args: {} };
        calls += 1;
        events.push({ type: 'tool-call-start', callId: open.callId, wireId: textAt(call, 'id') ?? '', name: nameOf(name) });
      }
      if (open === undefined) return events;
      if (isRecord(call['args'])) open.args = toJson(call['args']);
      const pieces = isList(call['partialArgs']) ? call['partialArgs'].filter(isRecord) : [];
      for (const piece of pieces) open.args = place(open.args, pathOf(textAt(piece, 'jsonPath') ?? ''), piece);
      const thoughtSignature = textAt(part, 'thoughtSignature');
      if (thoughtSignature !== undefined) events.push({ type: 'tool-call-opaque', callId: open.callId, data: { thoughtSignature } });
      return call['willContinue'] === true ? events : [...events, ...close(true)];
    },
    end: close,
    count: () => calls,
  };
}

/** The steps of a path such as `$.list[0].name` or `$['a b']`. */
function pathOf(path: string): readonly (string | number)[] {
  const steps = path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/g);
  return [...steps].map(([, name, index, single, double]) => (index === undefined ? (name ?? single ?? double ?? '') : Number(index)));
}

/** `target` with a piece's value at the path; a text joins the text that stands there. */
function place(target: Json | undefined, path: readonly (string | number)[], piece: UnknownRecord): Json {
  const [step, ...rest] = path;
  if (step === undefined) return valueOf(piece, target);
  if (typeof step === 'number') {
    const list: Json[] = isJsonList(target) ? [...target] : [];
    if (step > MAX_INDEX) return list;
    while (list.length < step) list.push(null);
    list[step] = place(list[step], rest, piece);
    return list;
  }
  const record = isRecord(target) ? target : {};
  return { ...Object.fromEntries(Object.entries(record)), [step]: place(record[step], rest, piece) };
}

function valueOf(piece: UnknownRecord, before: Json | undefined): Json {
  const text = piece['stringValue'];
  if (typeof text === 'string') return typeof before === 'string' ? before + text : text;
  return numberAt(piece, 'numberValue') ?? (typeof piece['boolValue'] === 'boolean' ? piece['boolValue'] : null);
}
