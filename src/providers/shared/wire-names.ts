import type { ModelRequest } from '../../core/request';
import { shortHash } from './short-hash';

/** What every protocol takes as a tool's name. */
const VALID = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** Names of tools as they stand on the wire. One tool with a name that servers refuse must not block the others. */
export interface WireNames {
  /** The name for the wire: itself where it is valid, else cleaned and with a hash at its end. Unique in the request. */
  toWire(name: string): string;
  /** The tool that a name on the wire means; a name nobody offered stays as it is. */
  fromWire(wireName: string): string;
}

/** The names of a request's tools and of its earlier calls. The same name is the same on the wire in every request. */
export function wireNamesOf(request: Pick<ModelRequest, 'tools' | 'history'>): WireNames {
  const called = request.history.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])));
  return createWireNames([...request.tools.map((tool) => tool.name), ...called]);
}

/** A mapping for these names, in both directions. */
export function createWireNames(names: readonly string[]): WireNames {
  const toWire = new Map(names.filter((name) => VALID.test(name)).map((name) => [name, name]));
  const taken = new Set(toWire.values());
  for (const name of new Set(names)) {
    if (toWire.has(name)) continue;
    let wireName = cleaned(name, name);
    for (let attempt = 2; taken.has(wireName); attempt += 1) wireName = cleaned(name, `${name} ${attempt}`);
    taken.add(wireName);
    toWire.set(name, wireName);
  }
  const fromWire = new Map([...toWire].map(([name, wireName]) => [wireName, name]));
  return {
    toWire: (name) => toWire.get(name) ?? (VALID.test(name) ? name : cleaned(name, name)),
    fromWire: (wireName) => fromWire.get(wireName) ?? wireName,
  };
}

function cleaned(name: string, hashed: string): string {
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return `${readable}_${shortHash(hashed, HASH_LENGTH)}`;
}
