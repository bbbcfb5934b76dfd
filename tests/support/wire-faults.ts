import { isList, isRecord, textAt, type UnknownRecord } from '../../src/outbound/json';
import {
  protocolOf,
  readConversation,
  recordsIn,
  type Protocol,
  type WireBlock,
  type WireConversation,
  type WireRequest,
} from './wire-turns';

/** What a rule looks at. */
interface Wire extends WireConversation {
  readonly protocol: Protocol;
  readonly model: string;
  readonly body: UnknownRecord;
  /** Whether the model takes pictures. */
  readonly sees: boolean;
}

type Rule = (wire: Wire) => readonly string[];
type Block<T extends WireBlock['type']> = Extract<WireBlock, { type: T }>;

const RULES: readonly Rule[] = [order, emptiness, names, ids, pairs, hostedPairs, thoughts, media, foreignFields, cacheMarks, parameters];

/**
 * The shapes in a request that a strict server answers with a 400 or worse, each with a word for what is wrong; empty for one that every
 * server takes. The protocol is known by the path. `sees`: whether the model takes pictures.
 */
export function wireFaultsIn(request: WireRequest, { sees = true }: { readonly sees?: boolean } = {}): readonly string[] {
  const body = isRecord(request.body) ? request.body : {};
  const model = textAt(body, 'model') ?? /models\/([^:/]+):/.exec(request.path)?.[1] ?? '';
  const wire: Wire = { ...readConversation(request), protocol: protocolOf(request), model, body, sees };
  return RULES.flatMap((rule) => rule(wire));
}

/** The user first, the user or a tool last, everybody in turn; the system nowhere in between. */
function order({ turns, system, model }: Wire): readonly string[] {
  const roles = turns.map(({ role }) => role);
  return [
    ...(roles[0] === 'user' ? [] : [`${roles[0]} speaks first`]),
    ...(roles.at(-1) === 'assistant' ? ['the assistant speaks last'] : []),
    ...roles.flatMap((role, index) => (index > 0 && role === roles[index - 1] ? [`two turns in a row: ${role}`] : [])),
    ...roles.filter((role) => !['user', 'assistant', 'tool'].includes(role)).map((role) => `no role here: ${role}`),
    ...(system.length > 0 && /^o1-mini|^gemma/.test(model) ? ['system text for a model that has none'] : []),
  ];
}

function emptiness({ turns, system }: Wire): readonly string[] {
  const isBlank = (text: string): boolean => text.trim() === '';
  return [
    ...system.filter(isBlank).map(() => 'blank system text'),
    ...turns.filter(({ blocks }) => blocks.every(({ type }) => type === 'thought')).map(({ role }) => `a turn without content: ${role}`),
    ...all(turns, 'text').flatMap(({ text, isSigned }) => (isBlank(text) && !isSigned ? ['blank text'] : [])),
    ...all(turns, 'result').flatMap(({ texts }) => texts.filter(isBlank).map(() => 'blank text in a result')),
    ...all(turns, 'unknown').map(({ name }) => `not of this protocol: ${name}`),
  ];
}

function names({ turns, body }: Wire): readonly string[] {
  const offered = recordsIn(body['tools']).flatMap((tool) => [tool, ...recordsIn(tool['functionDeclarations']), tool['function']]);
  const given = offered.flatMap((tool) => (isRecord(tool) && typeof tool['name'] === 'string' ? [tool['name']] : []));
  const calls = all(turns, 'call');
  return [
    ...[...given, ...calls.map(({ name }) => name)]
      .filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
      .map((name) => `tool name ${name}`),
    ...calls.filter(({ hasObject }) => !hasObject).map(({ id }) => `arguments of ${id} are no object`),
    ...(calls.length > 0 && given.length === 0 ? ['calls, but no tools'] : []),
  ];
}

const IDS: Readonly<Record<Protocol, RegExp>> = {
  // The limit of the protocol's own host.
  'openai-chat': /^\S{1,40}$/,
  'openai-responses': /^\S{1,64}$/,
  'anthropic-messages': /^[a-zA-Z0-9_-]{1,64}$/,
  'google-generative': /^\S+$/,
};

function ids({ turns, protocol }: Wire): readonly string[] {
  const given = all(turns, 'call').map(({ id }) => id);
  return [
    ...given.filter((id) => !IDS[protocol].test(id)).map((id) => `call id ${id}`),
    ...given.filter((id, index) => given.indexOf(id) < index).map((id) => `call id ${id} twice`),
  ];
}

/** Every call has its result at the head of the next turn, and nothing else has one. */
function pairs({ turns }: Wire): readonly string[] {
  return turns.flatMap(({ blocks }, index) => {
    const called = (turns[index - 1]?.blocks ?? []).flatMap((block) => (block.type === 'call' ? [block.id] : []));
    const results = blocks.flatMap((block, position) => (block.type === 'result' ? [{ id: block.id, position }] : []));
    const calls = blocks.flatMap((block) => (block.type === 'call' ? [block.id] : []));
    const next = (turns[index + 1]?.blocks ?? []).flatMap((block) => (block.type === 'result' ? [block.id] : []));
    return [
      ...calls.filter((id) => !next.includes(id)).map((id) => `call ${id} without a result`),
      ...results.filter(({ id }) => !called.includes(id)).map(({ id }) => `result ${id} without a call`),
      ...results.filter(({ id }, place) => results.findIndex((other) => other.id === id) < place).map(({ id }) => `two results of ${id}`),
      ...results.filter(({ position }, place) => position !== place).map(({ id }) => `result ${id} behind something else`),
    ];
  });
}

/** The server's own work: call and result in one turn. */
function hostedPairs({ turns }: Wire): readonly string[] {
  return turns.flatMap(({ blocks }) => {
    const hosted = blocks.filter((block) => block.type === 'hosted');
    const idsOf = (step: 'call' | 'result'): readonly string[] => hosted.filter((block) => block.step === step).map(({ id }) => id);
    const [calls, results] = [idsOf('call'), idsOf('result')];
    return [
      ...calls.filter((id) => !results.includes(id)).map((id) => `hosted call ${id} without a result`),
      ...results.filter((id) => !calls.includes(id)).map((id) => `hosted result ${id} without a call`),
    ];
  });
}

function thoughts({ turns, protocol, model, body }: Wire): readonly string[] {
  const isGemini3 = protocol === 'google-generative' && /^gemini-3/.test(model);
  // Chat Completions has the thought beside the words, not before them.
  const isOrdered = protocol === 'anthropic-messages' || protocol === 'openai-responses';
  const include = isList(body['include']) ? body['include'] : [];
  return [
    ...all(turns, 'thought').flatMap(({ isSealed }) => (isSealed ? [] : ['a thought that nobody signed'])),
    ...turns.flatMap(({ blocks }) => (isOrdered && blocks.at(-1)?.type === 'thought' ? ['a thought that leads to nothing'] : [])),
    ...(isGemini3 ? turns.flatMap(({ role, blocks }) => (role === 'assistant' ? unsignedIn(blocks) : [])) : []),
    ...(include.includes('reasoning.encrypted_content') && /^(gpt-[34]|chatgpt)/.test(model)
      ? ['encrypted thoughts of a model that has none']
      : []),
  ];
}

/** Gemini 3 wants its signature on the first of calls made together, and on pictures. */
function unsignedIn(blocks: readonly WireBlock[]): readonly string[] {
  const first = blocks.find((block) => block.type === 'call');
  const isBare = (block: WireBlock): boolean => (block.type === 'media' || block === first) && 'isSigned' in block && !block.isSigned;
  return blocks.filter(isBare).map(({ type }) => `${type} without its signature`);
}

/** How base64 begins where the bytes are what they are called. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  'image/png': /^iVBORw/,
  'image/jpeg': /^\/9j\//,
  'image/gif': /^R0lGOD/,
  'image/webp': /^UklGR/,
  'application/pdf': /^JVBERi/,
  'audio/wav': /^UklGR/,
  'audio/mp3': /^(SUQz|\/\/)/,
  'audio/mpeg': /^(SUQz|\/\/)/,
};

function media({ turns, sees }: Wire): readonly string[] {
  return all(turns, 'media').flatMap(({ mimeType, base64 }) => [
    ...(BEGINNINGS[mimeType]?.test(base64) === true ? [] : [`bytes that are no ${mimeType}`]),
    ...(!sees && mimeType.startsWith('image/') ? ['a picture for a model that sees none'] : []),
  ]);
}

/** Fields in which a protocol keeps what only its maker can read. */
const OPAQUE_FIELDS = [
  'signature',
  'thoughtSignature',
  'encrypted_content',
  'encrypted_index',
  'reasoning_details',
  'reasoning_content',
  'extra_content',
];

const OWN_FIELDS: Readonly<Record<Protocol, readonly string[]>> = {
  'openai-chat': ['reasoning_details', 'reasoning_content', 'extra_content'],
  'openai-responses': ['encrypted_content'],
  'anthropic-messages': ['signature', 'encrypted_content', 'encrypted_index'],
  'google-generative': ['thoughtSignature'],
};

function foreignFields({ protocol, body }: Wire): readonly string[] {
  const own = OWN_FIELDS[protocol];
  const search = (value: unknown): readonly string[] => {
    if (isList(value)) return value.flatMap(search);
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([field, inner]) => {
      // What is inside an own field is its maker's.
      if (own.includes(field)) return [];
      return OPAQUE_FIELDS.includes(field) ? [`${field} is of another protocol`] : search(inner);
    });
  };
  return search([body['messages'], body['contents'], body['input']]);
}

const MAX_CACHE_MARKS = 4;

function cacheMarks({ body }: Wire): readonly string[] {
  const blocks = recordsIn(body['messages']).flatMap(({ content }) => recordsIn(content));
  const marked = [...recordsIn(body['system']), ...recordsIn(body['tools']), ...blocks].filter((block) => 'cache_control' in block);
  const isWrong = ({ type, text }: UnknownRecord): boolean =>
    type === 'thinking' || type === 'redacted_thinking' || (typeof text === 'string' && text.trim() === '');
  return [
    ...(marked.length > MAX_CACHE_MARKS ? [`${marked.length} cache marks`] : []),
    ...marked.filter(isWrong).map(({ type }) => `cache mark on ${String(type)}`),
  ];
}

/** OpenAI's models that think have another name for the limit, and a temperature of their own. */
function parameters({ body, model, protocol }: Wire): readonly string[] {
  const isOpenAi = protocol === 'openai-chat' || protocol === 'openai-responses';
  const isNew = isOpenAi && /^(o\d|gpt-5)/.test(model);
  const isFixed = isOpenAi && /^(o\d|gpt-5(?!\.|-chat))/.test(model);
  const { messages: _messages, contents: _contents, input: _input, tools: _tools, ...fields } = body;
  return [
    ...nullsIn(fields),
    ...(isNew && 'max_tokens' in body ? ['max_tokens for a model that has max_completion_tokens'] : []),
    ...('max_tokens' in body && 'max_completion_tokens' in body ? ['two limits'] : []),
    ...['temperature', 'top_p'].flatMap((field) => (isFixed && field in body ? [`${field} for a model that has its own`] : [])),
  ];
}

function nullsIn(fields: UnknownRecord): readonly string[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    if (value === null) return [`${field} is null`];
    return isRecord(value) ? nullsIn(value) : [];
  });
}

function all<T extends WireBlock['type']>(turns: WireConversation['turns'], type: T): readonly Block<T>[] {
  return turns.flatMap(({ blocks }) => blocks.filter((block): block is Block<T> => block.type === type));
}
