import { isList, isRecord, parseJson, recordAt, textAt, type UnknownRecord } from '../../src/outbound/json';

export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'google-generative';

/** A request for an answer as it went over the wire. */
export interface WireRequest {
  readonly path: string;
  readonly body: unknown;
}

/** One piece of a turn, in no protocol's words. */
export type WireBlock =
  | { readonly type: 'text'; readonly text: string; readonly isSigned: boolean }
  /** `isSealed`: with what proves to its maker that it is unchanged. */
  | { readonly type: 'thought'; readonly isSealed: boolean }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly hasObject: boolean; readonly isSigned: boolean }
  /** `texts`: only where the protocol forbids blank ones in it. */
  | { readonly type: 'result'; readonly id: string; readonly texts: readonly string[] }
  | { readonly type: 'media'; readonly mimeType: string; readonly base64: string; readonly isSigned: boolean }
  /** Work of the server's own. `id` only where call and result have to go together. */
  | { readonly type: 'hosted'; readonly step: 'call' | 'result' | 'both'; readonly id: string }
  /** Nothing that the protocol knows. */
  | { readonly type: 'unknown'; readonly name: string };

export interface WireTurn {
  /** `user`, `assistant`, `tool` for results alone; anything else is the protocol's or no role. */
  readonly role: string;
  readonly blocks: readonly WireBlock[];
}

export interface WireConversation {
  readonly system: readonly string[];
  /** Neighbours are joined only where the protocol has an item for each piece of a turn. */
  readonly turns: readonly WireTurn[];
}

/** The protocol that a request speaks, by its path. */
export function protocolOf({ path }: Pick<WireRequest, 'path'>): Protocol {
  if (path.includes('/chat/completions')) return 'openai-chat';
  if (path.includes('/responses')) return 'openai-responses';
  return path.includes('/messages') ? 'anthropic-messages' : 'google-generative';
}

/** The conversation in a request, whatever its protocol. */
export function readConversation(request: WireRequest): WireConversation {
  const body = isRecord(request.body) ? request.body : {};
  switch (protocolOf(request)) {
    case 'openai-chat':
      return readChat(recordsIn(body['messages']));
    case 'anthropic-messages':
      return { system: textsIn(body['system']), turns: recordsIn(body['messages']).map(anthropicTurn) };
    case 'google-generative':
      return { system: textsIn(recordAt(body, 'systemInstruction')['parts']), turns: recordsIn(body['contents']).map(googleTurn) };
    case 'openai-responses':
      return { system: textsIn(body['instructions']), turns: joined(recordsIn(body['input']).map(responsesTurn), ['assistant', 'tool']) };
  }
}

/** Every record of a list; an empty list for anything else. */
export function recordsIn(value: unknown): readonly UnknownRecord[] {
  return isList(value) ? value.filter(isRecord) : [];
}

function textsIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : recordsIn(value).map((block) => textAt(block, 'text') ?? '');
}

function joined(turns: readonly WireTurn[], roles: readonly string[]): readonly WireTurn[] {
  const result: WireTurn[] = [];
  for (const turn of turns) {
    const last = result.at(-1);
    if (last?.role === turn.role && roles.includes(turn.role))
      result[result.length - 1] = { ...last, blocks: [...last.blocks, ...turn.blocks] };
    else result.push(turn);
  }
  return result;
}

function readChat(messages: readonly UnknownRecord[]): WireConversation {
  const isSystem = ({ role }: UnknownRecord): boolean => role === 'system' || role === 'developer';
  const begin = messages.findIndex((message) => !isSystem(message));
  const head = begin === -1 ? messages : messages.slice(0, begin);
  return {
    system: head.flatMap((message) => textsIn(message['content'])),
    turns: joined(messages.slice(head.length).map(chatTurn), ['tool']),
  };
}

function chatTurn(message: UnknownRecord): WireTurn {
  const role = String(message['role']);
  if (role === 'tool') return { role, blocks: [{ type: 'result', id: textAt(message, 'tool_call_id') ?? '', texts: [] }] };
  const isThoughtful = message['reasoning_details'] !== undefined || message['reasoning_content'] !== undefined;
  const calls = recordsIn(message['tool_calls']).map((call) => {
    const { name, arguments: argumentsText } = recordAt(call, 'function');
    return callBlock(call['id'], name, typeof argumentsText === 'string' ? parseJson(argumentsText) : undefined);
  });
  // Beside calls an empty string only says that there are no words.
  const content = message['content'] === '' && calls.length > 0 ? [] : contentBlocks(message);
  return { role, blocks: [...(isThoughtful ? [{ type: 'thought', isSealed: true } as const] : []), ...content, ...calls] };
}

/** Text and files as both protocols of OpenAI have them. */
function contentBlocks({ content }: UnknownRecord): readonly WireBlock[] {
  if (typeof content === 'string') return [textBlock(content)];
  return recordsIn(content).map((part): WireBlock => {
    switch (part['type']) {
      case 'text':
      case 'input_text':
      case 'output_text':
        return textBlock(textAt(part, 'text') ?? '');
      case 'image_url':
        return dataUrl(recordAt(part, 'image_url')['url']);
      case 'input_image':
        return dataUrl(part['image_url']);
      case 'file':
        return dataUrl(recordAt(part, 'file')['file_data']);
      case 'input_file':
        return dataUrl(part['file_data']);
      case 'input_audio':
        return mediaBlock(`audio/${textAt(recordAt(part, 'input_audio'), 'format')}`, recordAt(part, 'input_audio')['data']);
      default:
        return { type: 'unknown', name: String(part['type']) };
    }
  });
}

function anthropicTurn({ role, content }: UnknownRecord): WireTurn {
  const blocks = typeof content === 'string' ? [textBlock(content)] : recordsIn(content).map(anthropicBlock);
  return { role: String(role), blocks };
}

function anthropicBlock(block: UnknownRecord): WireBlock {
  const type = String(block['type']);
  const source = recordAt(block, 'source');
  switch (type) {
    case 'text':
      return textBlock(textAt(block, 'text') ?? '');
    case 'image':
    case 'document':
      return mediaBlock(source['media_type'], source['data']);
    case 'thinking':
      return { type: 'thought', isSealed: isFilled(block['signature']) };
    case 'redacted_thinking':
      return { type: 'thought', isSealed: isFilled(block['data']) };
    case 'tool_use':
      return callBlock(block['id'], block['name'], block['input']);
    case 'tool_result':
      return { type: 'result', id: String(block['tool_use_id']), texts: resultTexts(block['content']) };
    case 'server_tool_use':
    case 'mcp_tool_use':
      return { type: 'hosted', step: 'call', id: String(block['id']) };
    default:
      return type.endsWith('_tool_result')
        ? { type: 'hosted', step: 'result', id: String(block['tool_use_id']) }
        : { type: 'unknown', name: type };
  }
}

function resultTexts(content: unknown): readonly string[] {
  return recordsIn(content).flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
}

/** Calls without an id are known by their place: results come in the turn after them, in the same order. */
function googleTurn(content: UnknownRecord, place: number): WireTurn {
  let calls = 0;
  let results = 0;
  const blocks = recordsIn(content['parts']).map((part): WireBlock => {
    const isSigned = isFilled(part['thoughtSignature']);
    const { functionCall: call, functionResponse: result } = part;
    if (isRecord(call)) return { ...callBlock(textAt(call, 'id') ?? `${place}-${calls++}`, call['name'], call['args'] ?? {}), isSigned };
    if (isRecord(result)) return { type: 'result', id: textAt(result, 'id') ?? `${place - 1}-${results++}`, texts: [] };
    if (part['thought'] === true) return { type: 'thought', isSealed: isSigned };
    if (typeof part['text'] === 'string') return { type: 'text', text: part['text'], isSigned };
    const inline = recordAt(part, 'inlineData');
    if (isRecord(part['inlineData'])) return { ...mediaBlock(inline['mimeType'], inline['data']), isSigned };
    const isHosted = isRecord(part['executableCode']) || isRecord(part['codeExecutionResult']);
    return isHosted ? { type: 'hosted', step: 'both', id: '' } : { type: 'unknown', name: Object.keys(part).join() };
  });
  const isAnswered = blocks.length > 0 && blocks.every(({ type }) => type === 'result');
  const role = content['role'] === 'model' ? 'assistant' : String(content['role']);
  return { role: isAnswered && role === 'user' ? 'tool' : role, blocks };
}

function responsesTurn(item: UnknownRecord): WireTurn {
  const type = textAt(item, 'type') ?? 'message';
  const id = item['call_id'];
  switch (type) {
    case 'message':
      return { role: String(item['role']), blocks: contentBlocks(item) };
    case 'reasoning':
      return {
        role: 'assistant',
        blocks: [{ type: 'thought', isSealed: isFilled(item['encrypted_content']) || isFilled(item['content']) }],
      };
    case 'function_call':
      return { role: 'assistant', blocks: [callBlock(id, item['name'], parseJson(textAt(item, 'arguments') ?? ''))] };
    case 'custom_tool_call':
      return { role: 'assistant', blocks: [callBlock(id, item['name'], {})] };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', blocks: [{ type: 'result', id: String(id), texts: [] }] };
    default: {
      const isHosted = /_call$|^mcp_/.test(type);
      return { role: 'assistant', blocks: [isHosted ? { type: 'hosted', step: 'both', id: '' } : { type: 'unknown', name: type }] };
    }
  }
}

function textBlock(text: string): WireBlock {
  return { type: 'text', text, isSigned: false };
}

function callBlock(id: unknown, name: unknown, value: unknown): Extract<WireBlock, { type: 'call' }> {
  return { type: 'call', id: String(id), name: String(name), hasObject: isRecord(value), isSigned: false };
}

function mediaBlock(mimeType: unknown, base64: unknown): Extract<WireBlock, { type: 'media' }> {
  return { type: 'media', mimeType: String(mimeType), base64: String(base64), isSigned: false };
}

function dataUrl(url: unknown): WireBlock {
  const [, mimeType, base64] = /^data:([^;]*);base64,(.*)$/s.exec(String(url)) ?? [];
  return mediaBlock(mimeType, base64);
}

function isFilled(value: unknown): boolean {
  return (typeof value === 'string' || isList(value)) && value.length > 0;
}
