import { expect } from '@playwright/test';
import { wireFaultsIn } from '../../tests/support/wire-faults';
import { readConversation, type WireTurn } from '../../tests/support/wire-turns';
import type { ReplayRequest } from './replay-server';

/** A body that any strict server takes. Returns the turns, so that a test can say what must be in them. */
export function expectWellFormed(request: ReplayRequest): readonly WireTurn[] {
  const { turns } = readConversation(request);
  expect(wireFaultsIn(request), `${request.path}: ${JSON.stringify(request.body)}`).toEqual([]);
  return turns;
}

/** Every text of a turn. */
export function textOf({ blocks }: WireTurn): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** Long values that only their maker can read (signatures, encrypted thoughts) in a recorded stream. */
export function opaqueValuesOf(recording: string): readonly string[] {
  return [...recording.matchAll(/"(?:signature|thoughtSignature|encrypted_content|encrypted_index)"\s*:\s*"([^"]{40,})"/g)].map(
    (match) => match[1] ?? '',
  );
}
