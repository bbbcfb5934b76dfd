import type { MessageNode, StepContent } from '../../src/core/node';
import type { JackdawDatabase } from '../../src/storage/db';
import { openDatabase } from '../../src/storage/open';
import type { Stamp } from '../../src/storage/stamp';
import type { NewNode } from '../../src/storage/tree';

let databases = 0;

/** A database of its own, empty. */
export function freshDatabase(name = `test-${(databases += 1)}`): Promise<JackdawDatabase> {
  return openDatabase({ name, onBlocked: () => undefined, onOutdated: () => undefined });
}

export function stampAt(at: number, device = 'device-a'): Stamp {
  return { at, device };
}

/** The `number`-th id: a UUID, so that it can be packed. */
export function nodeId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

export function textStep(text: string, step = 0): StepContent {
  return { step, parts: [{ type: 'text', step, text }] };
}

export function userNode(number: number, parent: number | null, text = `text ${number}`): NewNode {
  return {
    id: nodeId(number),
    parentId: parent === null ? null : nodeId(parent),
    role: number % 2 === 0 ? 'user' : 'assistant',
    status: 'complete',
    createdAt: 1000 + number,
    tokens: number % 50,
    steps: [textStep(text)],
  };
}

export function pictureNode(number: number, parent: number | null, blob: string): NewNode {
  const media = { type: 'media', step: 0, kind: 'image', blob, mimeType: 'image/png', name: 'a.png', sizeBytes: 3 } as const;
  return { ...userNode(number, parent), steps: [{ step: 0, parts: [media] }] };
}

export function idsOf(nodes: readonly Pick<MessageNode, 'id'>[]): string[] {
  return nodes.map((node) => node.id);
}

/** The same numbers for the same seed (mulberry32), each from 0 up to `below`. */
export function seededNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The code of the AppError that `work` ends in; anything else fails the test by its own message. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => 'no failure',
    (thrown: unknown) => thrown,
  );
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : error;
}
