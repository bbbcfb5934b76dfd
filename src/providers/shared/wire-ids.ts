import type { ModelRequest } from '../../core/request';
import { shortHash } from './short-hash';

/** What a host takes as the id of a call. */
export interface IdRule {
  readonly valid: RegExp;
  /** Of the ids that are made where the wire's own can't be used; up to 10 letters and digits. */
  readonly madeLength: number;
}

/** Anything that was an id somewhere, up to the shortest limit of the large hosts. */
export const COMMON_IDS: IdRule = { valid: /^\S{1,64}$/, madeLength: 10 };

/** Ids of calls by our own ids: the wire's where it is unique in the request and the host takes it, else one made from what it was. */
export interface WireIds {
  /** The id for a call and for its result. */
  toWire(callId: string): string;
}

/**
 * The ids of all calls of a request. Each is unique in it, although a wire's ids may repeat from answer to answer, and stays the same
 * while the history only grows.
 */
export function wireIdsOf(request: Pick<ModelRequest, 'history'>, rule: IdRule = COMMON_IDS): WireIds {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  for (const part of request.history.flatMap((message) => message.parts)) {
    if (part.type !== 'tool-call' || ids.has(part.callId)) continue;
    const candidates = [part.wireId, shortHash(part.wireId || part.callId, rule.madeLength), shortHash(part.callId, rule.madeLength)];
    let id = candidates.find((candidate) => rule.valid.test(candidate) && !taken.has(candidate));
    for (let attempt = 2; id === undefined; attempt += 1) {
      const other = shortHash(`${part.callId} ${attempt}`, rule.madeLength);
      if (!taken.has(other)) id = other;
    }
    taken.add(id);
    ids.set(part.callId, id);
  }
  return { toWire: (callId) => ids.get(callId) ?? shortHash(callId, rule.madeLength) };
}
