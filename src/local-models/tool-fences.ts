import type { Json, JsonObject } from '../core/errors';
import { isList, isRecord, parseJson, recordAt, textAt, toJson, toJsonObject } from '../outbound/json';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/**
 * A Chat Completions body for an engine that takes no tools: they are described in the system message, calls and results stand in the text
 * between fences, and a grammar holds a call to the shape of its tool while everything around it stays free. A schema for the whole answer
 * becomes the text that the engine wants.
 */
export function withFences(body: JsonObject): JsonObject {
  const { tools, tool_choice: _choice, messages, response_format: format, ...rest } = body;
  const offered = recordsIn(tools).map((tool) => recordAt(tool, 'function'));
  const told = fencedMessages(recordsIn(messages));
  if (offered.length === 0) return { ...rest, messages: told, ...answerFormat(format) };
  return { ...rest, messages: withSystem(told, describe(offered)), response_format: callFormat(offered) };
}

type Tool = ReturnType<typeof recordAt>;

function recordsIn(value: unknown): readonly Tool[] {
  return isList(value) ? value.filter(isRecord) : [];
}

function describe(tools: readonly Tool[]): string {
  const lines = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return [
    'You can call tools. To call one, write this and nothing after it:',
    `${OPEN}\n{"name": "…", "arguments": {…}}\n${CLOSE}`,
    'The result comes in the next message. The tools, one a line:',
    ...lines,
  ].join('\n');
}

/** The engine takes one system message, and only as the first. */
function withSystem(messages: readonly JsonObject[], text: string): readonly JsonObject[] {
  const [first, ...others] = messages;
  if (first?.['role'] !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ role: 'system', content: `${contentOf(first)}\n\n${text}` }, ...others];
}

function callFormat(tools: readonly Tool[]): Json {
  const tags = tools.map((tool) => ({
    begin: OPEN,
    end: CLOSE,
    content: { type: 'json_schema', json_schema: schemaOfCall(tool) },
  }));
  const format = { type: 'triggered_tags', triggers: [OPEN], tags, at_least_one: false, stop_after_first: false };
  return { type: 'structural_tag', structural_tag: { type: 'structural_tag', format } };
}

function schemaOfCall(tool: Tool): JsonObject {
  return {
    type: 'object',
    properties: { name: { const: textAt(tool, 'name') ?? '' }, arguments: toJsonObject(recordAt(tool, 'parameters')) },
    required: ['name', 'arguments'],
    additionalProperties: false,
  };
}

/** The engine wants a schema as a text, and has none of its own for "any JSON". */
function answerFormat(format: Json | undefined): JsonObject {
  if (!isRecord(format) || format['type'] === 'text') return {};
  const { schema } = recordAt(format, 'json_schema');
  return { response_format: { type: 'json_object', schema: JSON.stringify(schema ?? {}) } };
}

/** Calls and results as text; neighbouring results are one message of the user's. */
function fencedMessages(messages: readonly Tool[]): readonly JsonObject[] {
  const told: JsonObject[] = [];
  let isResult = false;
  for (const message of messages) {
    const content = contentOf(message);
    if (message['role'] === 'tool') {
      const result = `<tool_response>\n${content}\n</tool_response>`;
      const before = isResult ? told.pop() : undefined;
      told.push({ role: 'user', content: before === undefined ? result : `${contentOf(before)}\n${result}` });
      isResult = true;
      continue;
    }
    isResult = false;
    const calls = recordsIn(message['tool_calls']).map(callText);
    told.push({ role: textAt(message, 'role') ?? 'user', content: [...(content === '' ? [] : [content]), ...calls].join('\n') });
  }
  return told;
}

function callText(call: Tool): string {
  const called = recordAt(call, 'function');
  const given = parseJson(textAt(called, 'arguments') ?? '{}') ?? {};
  return `${OPEN}\n${JSON.stringify({ name: called['name'], arguments: given })}\n${CLOSE}`;
}

/** The text of a message; its parts joined where it has some. Never null, which the engine refuses. */
function contentOf(message: Tool | JsonObject): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return isList(content) ? content.map((part) => (isRecord(part) ? (textAt(part, 'text') ?? '') : '')).join('\n') : '';
}

/** Takes calls out of a text that comes in pieces. What may be the beginning of a fence is held back until it is known. */
export class FenceReader {
  #held = '';
  #calls = 0;

  /** Whether a call was read. */
  get hasCalls(): boolean {
    return this.#calls > 0;
  }

  /** The deltas that a piece makes known. */
  push(text: string): readonly JsonObject[] {
    this.#held += text;
    return this.#read();
  }

  /** What is left is text, whatever it was going to be. */
  end(): readonly JsonObject[] {
    const rest = this.#held;
    this.#held = '';
    return textDelta(rest);
  }

  #read(): readonly JsonObject[] {
    const deltas: JsonObject[] = [];
    for (;;) {
      const open = this.#held.indexOf(OPEN);
      if (open === -1) {
        const safe = this.#held.length - startedFence(this.#held);
        deltas.push(...textDelta(this.#held.slice(0, safe)));
        this.#held = this.#held.slice(safe);
        return deltas;
      }
      deltas.push(...textDelta(this.#held.slice(0, open)));
      this.#held = this.#held.slice(open);
      const close = this.#held.indexOf(CLOSE);
      if (close === -1) return deltas;
      const fence = this.#held.slice(0, close + CLOSE.length);
      this.#held = this.#held.slice(fence.length);
      deltas.push(this.#call(fence.slice(OPEN.length, close)) ?? { content: fence });
    }
  }

  /** Null for what is no call: it is shown as it was written. */
  #call(inside: string): JsonObject | null {
    const call = parseJson(inside);
    const name = isRecord(call) ? textAt(call, 'name') : undefined;
    if (!isRecord(call) || name === undefined) return null;
    const index = this.#calls++;
    return { tool_calls: [{ index, function: { name, arguments: JSON.stringify(toJson(call['arguments'] ?? {})) } }] };
  }
}

function textDelta(text: string): readonly JsonObject[] {
  return text === '' ? [] : [{ content: text }];
}

/** Length of the end of a text that may be the beginning of a fence. */
function startedFence(text: string): number {
  for (let length = Math.min(OPEN.length - 1, text.length); length > 0; length--) if (OPEN.startsWith(text.slice(-length))) return length;
  return 0;
}
