/**
 * A real GGUF file, some hundred kilobytes, whose weights are a script: the next token depends on the last one alone. The chat template ends
 * with the last message, so its last word chooses the chain. It goes through the true tokenizer, template, sampler and tool parser of
 * llama.cpp, and what it says is known before.
 */

/** By the word that begins it: what the model says, piece by piece. A piece may occur once in all chains. */
export type Chains = Readonly<Record<string, readonly string[]>>;

/** `hello`, `think`, `weather` (a call of `get_weather`), what follows a tool's result, and `forever`, which never ends. */
export const CHAINS: Chains = {
  hello: ['Hello', ' from', ' a', ' scripted', ' model', '.'],
  weather: ['<tool_call>', '\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n', '</tool_call>'],
  '<tool_result>': ['It', ' is', ' sunny', ' there', '!'],
  think: ['<think>', 'Let me see.', '</think>', 'Done', ' thinking', ';'],
  forever: [' and', ' on', ' it', ' goes,'],
};

/** This chain begins again where it ends. */
const ENDLESS = 'forever';
/** Begins where a message ends in none of the words. */
const DEFAULT_WORD = 'hello';

const WIDTH = 64;
const FEED_FORWARD = 64;
const CONTEXT = 4096;
const ALIGNMENT = 32;

const NORMAL = 1;
const CONTROL = 3;
const USER_DEFINED = 4;

/** The bytes of such a file. */
export function scriptedGguf(chains: Chains = CHAINS): Uint8Array<ArrayBuffer> {
  const vocabulary = vocabularyOf(chains);
  const { embedding, output } = weightsOf(chains, vocabulary);
  const tensors = tensorsOf(vocabulary.tokens.length, embedding, output);
  const keys = keysOf(vocabulary);
  let offset = 0;
  const directory = tensors.map(({ name, shape, data }) => {
    const entry = [...text(name), ...u32(shape.length), ...shape.flatMap(u64), ...u32(0), ...u64(offset)];
    offset += Math.ceil(data.byteLength / ALIGNMENT) * ALIGNMENT;
    return entry;
  });
  const head = Uint8Array.from([
    ...raw('GGUF'),
    ...u32(3),
    ...u64(tensors.length),
    ...u64(keys.length),
    ...keys.flat(),
    ...directory.flat(),
  ]);
  return joined([head, ...tensors.map(({ data }) => new Uint8Array(data.buffer))]);
}

interface Vocabulary {
  readonly tokens: readonly string[];
  readonly types: readonly number[];
  idOf(token: string): number;
}

const END_OF_TURN = '<|im_end|>';
const BEGIN_OF_TURN = '<|im_start|>';

function vocabularyOf(chains: Chains): Vocabulary {
  const ids = new Map<string, number>();
  const types: number[] = [];
  const add = (token: string, type: number): void => {
    if (ids.has(token)) return;
    ids.set(token, types.length);
    types.push(type);
  };
  add(END_OF_TURN, CONTROL);
  add(BEGIN_OF_TURN, CONTROL);
  for (let byte = 0; byte < 256; byte++) add(byteCharacter(byte), NORMAL);
  // An empty list of merges is not taken everywhere.
  add('he', NORMAL);
  for (const [word, pieces] of Object.entries(chains)) for (const token of [word, ...pieces]) add(token, USER_DEFINED);
  return { tokens: [...ids.keys()], types, idOf: (token) => ids.get(token) ?? 0 };
}

/** The alphabet of byte-level vocabularies: printable bytes stand for themselves, the others for what lies from 256 on. */
function byteCharacter(byte: number): string {
  const isPrintable = (value: number): boolean =>
    (value > 32 && value < 127) || (value > 160 && value < 173) || (value > 173 && value < 256);
  if (isPrintable(byte)) return String.fromCharCode(byte);
  const before = Array.from({ length: byte }, (_, value) => value).filter((value) => !isPrintable(value)).length;
  return String.fromCharCode(256 + before);
}

/** Each arrow from a token to the next has an axis of its own: the embedding points along it, and the output answers to it. */
function weightsOf(
  chains: Chains,
  { tokens, idOf }: Vocabulary,
): { readonly embedding: Float32Array<ArrayBuffer>; readonly output: Float32Array<ArrayBuffer> } {
  const embedding = new Float32Array(tokens.length * WIDTH);
  const output = new Float32Array(tokens.length * WIDTH);
  let axis = 0;
  const link = (from: number, to: number): void => {
    if (axis === WIDTH) throw new Error('too many arrows');
    embedding[from * WIDTH + axis] = 1;
    output[to * WIDTH + axis] = 5;
    axis += 1;
  };
  for (const [word, pieces] of Object.entries(chains)) {
    const chain = [word, ...pieces].map(idOf);
    chain.slice(1).forEach((to, index) => link(chain[index] ?? 0, to));
    link(chain.at(-1) ?? 0, word === ENDLESS ? (chain[1] ?? 0) : idOf(END_OF_TURN));
  }
  link(idOf(byteCharacter(10)), idOf(chains[DEFAULT_WORD]?.[0] ?? END_OF_TURN));
  return { embedding, output };
}

const TEMPLATE = [
  `{%- if tools %}<tools>{{ tools | tojson }}</tools>\n{% endif -%}`,
  `{%- for m in messages %}{{ '${BEGIN_OF_TURN}' + m.role + '\\n' }}`,
  `{% if m.role == 'tool' %}{{ m.content + '<tool_result>' }}{% else %}{{ m.content or '' }}`,
  `{% if m.tool_calls %}{% for c in m.tool_calls %}{{ '<tool_call>' + (c.function | tojson) + '</tool_call>' }}{% endfor %}{% endif %}{% endif %}`,
  `{% if not loop.last %}{{ '${END_OF_TURN}\\n' }}{% endif %}{%- endfor %}`,
].join('');

function keysOf({ tokens, types, idOf }: Vocabulary): readonly (readonly number[])[] {
  const numbers = {
    block_count: 1,
    context_length: CONTEXT,
    embedding_length: WIDTH,
    feed_forward_length: FEED_FORWARD,
    'attention.head_count': 2,
    'attention.head_count_kv': 2,
    'rope.dimension_count': WIDTH / 2,
    vocab_size: tokens.length,
  };
  return [
    key('general.architecture', TEXT, text('llama')),
    key('general.name', TEXT, text('scripted')),
    key('general.file_type', U32, u32(0)),
    ...Object.entries(numbers).map(([name, value]) => key(`llama.${name}`, U32, u32(value))),
    key('llama.attention.layer_norm_rms_epsilon', F32, f32(1e-5)),
    key('tokenizer.ggml.model', TEXT, text('gpt2')),
    key('tokenizer.ggml.pre', TEXT, text('gpt-2')),
    key('tokenizer.ggml.tokens', LIST, list(TEXT, tokens.map(text))),
    key('tokenizer.ggml.token_type', LIST, list(I32, types.map(u32))),
    key('tokenizer.ggml.merges', LIST, list(TEXT, [text('h e')])),
    key('tokenizer.ggml.bos_token_id', U32, u32(idOf(BEGIN_OF_TURN))),
    key('tokenizer.ggml.eos_token_id', U32, u32(idOf(END_OF_TURN))),
    key('tokenizer.ggml.add_bos_token', BOOL, [0]),
    key('tokenizer.chat_template', TEXT, text(TEMPLATE)),
  ];
}

interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array<ArrayBuffer>;
}

/** One block that adds nothing, between the embedding and an output of its own. */
function tensorsOf(size: number, embedding: Float32Array<ArrayBuffer>, output: Float32Array<ArrayBuffer>): readonly Tensor[] {
  const zero = (name: string, ...shape: readonly [number, number]): Tensor => ({
    name,
    shape,
    data: new Float32Array(shape[0] * shape[1]),
  });
  const ones = (name: string): Tensor => ({ name, shape: [WIDTH], data: new Float32Array(WIDTH).fill(1) });
  return [
    { name: 'token_embd.weight', shape: [WIDTH, size], data: embedding },
    ones('output_norm.weight'),
    { name: 'output.weight', shape: [WIDTH, size], data: output },
    ones('blk.0.attn_norm.weight'),
    ones('blk.0.ffn_norm.weight'),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => zero(`blk.0.${name}.weight`, WIDTH, WIDTH)),
    zero('blk.0.ffn_gate.weight', WIDTH, FEED_FORWARD),
    zero('blk.0.ffn_up.weight', WIDTH, FEED_FORWARD),
    zero('blk.0.ffn_down.weight', FEED_FORWARD, WIDTH),
  ];
}

/** Each at the next multiple of the alignment. */
function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const lengths = pieces.map(({ byteLength }) => Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT);
  const whole = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  pieces.forEach((piece, index) => {
    whole.set(piece, at);
    at += lengths[index] ?? 0;
  });
  return whole;
}

const U32 = 4;
const I32 = 5;
const F32 = 6;
const BOOL = 7;
const TEXT = 8;
const LIST = 9;

function key(name: string, type: number, value: readonly number[]): readonly number[] {
  return [...text(name), ...u32(type), ...value];
}

function list(type: number, entries: readonly (readonly number[])[]): readonly number[] {
  return [...u32(type), ...u64(entries.length), ...entries.flat()];
}

function raw(value: string): readonly number[] {
  return [...new TextEncoder().encode(value)];
}

function text(value: string): readonly number[] {
  const bytes = raw(value);
  return [...u64(bytes.length), ...bytes];
}

function u32(value: number): readonly number[] {
  return [...new Uint8Array(Uint32Array.of(value).buffer)];
}

function u64(value: number): readonly number[] {
  return [...new Uint8Array(BigUint64Array.of(BigInt(value)).buffer)];
}

function f32(value: number): readonly number[] {
  return [...new Uint8Array(Float32Array.of(value).buffer)];
}
