import type { ToolPart, ToolResult } from '../core/node';
import { saveBlob } from '../storage/blobs';
import type { ToolOutcome } from '../tools/tool';
import type { Environment } from './environment';

// Section 11 of the mobile design: what a model can still read at once, and what it needs to decide whether to read on.
const WHOLE_CHARACTERS = 32 * 1024;
const PREVIEW_CHARACTERS = 4 * 1024;

/**
 * What is kept of an outcome. A text of more than 32,768 UTF-16 units goes to the blob store as a whole, and the model reads its beginning, its
 * size and how to read the rest. Throws storage codes.
 */
export async function keptResult(environment: Environment, call: ToolPart, outcome: ToolOutcome): Promise<ToolResult> {
  const { text, data } = outcome;
  const media = (outcome.media ?? []).map((file) => ({ type: 'media', step: call.step, ...file }) as const);
  const common = { media, ...(data === undefined ? {} : { data }) };
  if (text.length <= WHOLE_CHARACTERS) return { text, ...common };
  const bytes = new TextEncoder().encode(text);
  const blob = await saveBlob(environment.database, bytes.buffer, 'text/plain', environment.now());
  const path = `/tool_outputs/${call.callId}.txt`;
  const head = `The whole output has ${String(text.length)} characters and is stored as ${path}. Read more of it with read_tool_output (offset and limit, or query). It begins:`;
  return { text: `${head}\n\n${beginningOf(text)}`, ...common, stored: { blob, path, characters: text.length } };
}

/** Not through the middle of a character. */
function beginningOf(text: string): string {
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(PREVIEW_CHARACTERS - 1));
  return text.slice(0, isPair ? PREVIEW_CHARACTERS - 1 : PREVIEW_CHARACTERS);
}
