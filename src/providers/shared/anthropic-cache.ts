import type { JsonObject } from '../../core/errors';

const MARKER: JsonObject = { type: 'ephemeral' };

/** Blocks that must not carry a marker. */
const UNMARKED = ['thinking', 'redacted_thinking'] as const;

/**
 * The fields of a body with the places marked up to which the server keeps the prompt: the end of the system text, the last tool, and the
 * user message before the last, whose end the next request repeats. Three marks; the protocol allows four, which leaves one to a gateway.
 */
export function markForCache(body: {
  readonly system: readonly JsonObject[];
  readonly tools: readonly JsonObject[];
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly JsonObject[] }[];
}): typeof body {
  const users = body.messages.filter(({ role }) => role === 'user');
  const marked = users.at(-2);
  return {
    system: markLast(body.system),
    tools: markLast(body.tools),
    messages: body.messages.map((message) => (message === marked ? { ...message, content: markLast(message.content) } : message)),
  };
}

function markLast(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const index = blocks.findLastIndex((block) => !UNMARKED.some((type) => block['type'] === type) && block['text'] !== '');
  return blocks.map((block, position) => (position === index ? { ...block, cache_control: MARKER } : block));
}
