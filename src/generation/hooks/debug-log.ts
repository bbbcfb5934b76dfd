import type { Json } from '../../core/errors';
import type { Gate, GateRequest } from '../../outbound/gate';
import { isList, isRecord, parseJson } from '../../outbound/json';
import type { RunEvent, RunIdentity, RunSubscriber } from './events';
import { headerNames, redact } from './redact';

/** Where lines are written down. Never throws, never keeps anybody waiting; a failure is told once. */
export interface DebugSink {
  append(line: Json): void;
}

/** Writes down what runs in agent-dev do; of any other mode nothing. A key that was ever sent is hidden in every later line, wherever it stands. */
export class DebugLog {
  readonly #sink: DebugSink;
  readonly #now: () => number;
  readonly #keys = new Set<string>();

  /** `now`: epoch ms. */
  constructor(sink: DebugSink, now: () => number) {
    this.#sink = sink;
    this.#now = now;
  }

  /** Hears results, errors and tools. */
  readonly subscriber: RunSubscriber = (event, run) => {
    if (run.mode !== 'agent-dev') return;
    const entry = entryOf(event);
    if (entry !== null) this.#write(run, entry.type, redact(entry.payload, [...this.#keys]));
  };

  /** A gate that writes down what really leaves for the model. */
  traced(gate: Gate, run: RunIdentity, key: string | null): Gate {
    if (key !== null) this.#keys.add(key);
    return {
      fetch: async (url, request) => {
        if (request.purpose === 'model') this.#write(run, 'request', requestPayload(url, request, [...this.#keys]));
        return gate.fetch(url, request);
      },
    };
  }

  #write(run: RunIdentity, type: LineType, payload: Json): void {
    this.#sink.append(lineOf(run, this.#now(), type, payload));
  }
}

type LineType = 'request' | 'result' | 'error' | 'tool';

function lineOf(run: RunIdentity, at: number, type: LineType, payload: Json): Json {
  return {
    timestamp: new Date(at).toISOString(),
    type,
    conversationId: run.conversationId,
    runId: run.runId,
    executionMode: run.mode,
    streamKind: 'conversation',
    providerId: run.provider,
    model: run.model.modelId,
    payload,
  };
}

function entryOf(event: RunEvent): { readonly type: 'result' | 'error' | 'tool'; readonly payload: unknown } | null {
  if (event.type === 'message_end') {
    const { step, parts, usage, durationMs, error } = event;
    return { type: error === undefined ? 'result' : 'error', payload: { step, parts, usage, durationMs, error } };
  }
  if (event.type === 'tool_execution_end') return { type: 'tool', payload: { step: event.step, call: event.call } };
  return null;
}

function requestPayload(url: string, { method = 'GET', headers = {}, body }: GateRequest, keys: readonly string[]): Json {
  const sent = body === undefined ? undefined : parseJson(body);
  return {
    url: redact(withoutQuery(url), keys),
    method,
    headers: headerNames(headers),
    body: redact(isRecord(sent) || isList(sent) ? sent : (body ?? null), keys),
  };
}

/** Some protocols put the key there. */
function withoutQuery(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? url : `${url.slice(0, at)}?[hidden]`;
}
