import { expect } from '@playwright/test';
import type { ReplayRequest } from './replay-server';

export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'google-generative';

interface WireTurn {
  readonly role: string;
  /** Every text of the turn. */
  readonly texts: readonly string[];
}

/** The protocol that a request speaks, by its path. */
export function protocolOf(request: ReplayRequest): Protocol {
  if (request.path.includes('/chat/completions')) return 'openai-chat';
  if (request.path.includes('/responses')) return 'openai-responses';
  return request.path.includes('/messages') ? 'anthropic-messages' : 'google-generative';
}

/**
 * A body that any strict server takes: the user speaks first and last, the roles alternate, nothing is empty. Returns the turns, so that a
 * test can say what must be in them.
 */
export function expectWellFormed(request: ReplayRequest): readonly WireTurn[] {
  const turns = turnsOf(request);
  const roles = turns.map(({ role }) => role);
  expect(roles).toEqual(roles.map((_role, index) => (index % 2 === 0 ? 'user' : 'assistant')));
  expect(roles.at(-1)).toBe('user');
  for (const { texts } of turns) {
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text.trim()).not.toBe('');
  }
  return turns;
}

function turnsOf(request: ReplayRequest): readonly WireTurn[] {
  const body = recordOf(request.body);
  switch (protocolOf(request)) {
    case 'openai-chat':
      return listOf(body['messages'])
        .filter(({ role }) => role !== 'system' && role !== 'developer')
        .map((message) => turn(message['role'], message['content']));
    case 'anthropic-messages':
      return listOf(body['messages']).map((message) => turn(message['role'], message['content']));
    case 'google-generative':
      return listOf(body['contents']).map((content) => turn(content['role'] === 'model' ? 'assistant' : content['role'], content['parts']));
    case 'openai-responses':
      return listOf(body['input'])
        .filter(({ role }) => role === 'user' || role === 'assistant')
        .map((item) => turn(item['role'], item['content']));
  }
}

function turn(role: unknown, content: unknown): WireTurn {
  const texts =
    typeof content === 'string' ? [content] : listOf(content).flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
  return { role: String(role), texts };
}

function listOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Long values that only their maker can read (signatures, encrypted thoughts) in a recorded stream. */
export function opaqueValuesOf(recording: string): readonly string[] {
  return [...recording.matchAll(/"(?:signature|thoughtSignature|encrypted_content|encrypted_index)"\s*:\s*"([^"]{40,})"/g)].map(
    (match) => match[1] ?? '',
  );
}
