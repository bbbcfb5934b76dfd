import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A point where an answer waits until the test lets it go on. */
export interface Hold {
  readonly released: Promise<void>;
  release(): void;
}

/** A new, closed hold. */
export function createHold(): Hold {
  let open = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    released,
    release: () => {
      open();
    },
  };
}

export interface ReplayCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ReplayUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** What happens before the first byte of any answer. */
interface Timing {
  readonly firstByteDelayMs?: number;
  /** Nothing is sent before it is released. */
  readonly holdBefore?: Hold;
}

export type Answer = Timing &
  (
    | {
        readonly type: 'text';
        readonly text: string;
        /** Sent first, as `reasoning_content`. Think tags are simply part of `text`. */
        readonly reasoning?: string;
        readonly calls?: readonly ReplayCall[];
        readonly usage?: ReplayUsage;
        readonly finishReason?: string;
        /** Characters of a delta; 4 where absent, about a token. */
        readonly deltaSize?: number;
        /** Deltas a second; as fast as possible where absent. */
        readonly tokensPerSecond?: number;
        /** The answer waits after this many deltas until its hold is released. */
        readonly hold?: { readonly afterDeltas: number; readonly hold: Hold };
        /** The socket is destroyed after this many deltas. */
        readonly cutAfterDeltas?: number;
      }
    /** Bytes as they are, in the given pieces. */
    | {
        readonly type: 'raw';
        readonly pieces: readonly (Uint8Array | string)[];
        readonly status?: number;
        readonly contentType?: string;
        /** After the last piece the answer is whole; or the socket is destroyed, or nothing more ever comes. */
        readonly ending?: 'cut' | 'silence';
      }
    | { readonly type: 'error'; readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
    | { readonly type: 'page'; readonly status?: number; readonly html?: string }
    /** Takes the request and never answers. */
    | { readonly type: 'hang' }
  );

export interface ReplayRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or the text where it is none. */
  readonly body: unknown;
  /** Epoch ms. */
  readonly at: number;
}

/** A connection that the client gave up before its answer was complete. */
export interface ReplayClose {
  readonly request: ReplayRequest;
  /** Epoch ms. */
  readonly at: number;
}

export interface ReplayServer {
  /** Base URL of the API, `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  readonly origin: string;
  /** Every request that is no preflight, oldest first. */
  readonly requests: readonly ReplayRequest[];
  readonly closed: readonly ReplayClose[];
  /** Epoch ms at which the last answer was handed to the system whole; 0 before. */
  readonly answeredAt: number;
  /** Answers of the next chat requests, in order. */
  enqueue(...answers: readonly Answer[]): void;
  /** The answer where none is queued; by default the last user message, echoed. */
  setDefault(answer: (request: ReplayRequest) => Answer): void;
  /** Entries of `GET /v1/models`, or of the list below another base such as `/v1beta`. */
  setModels(models: readonly Readonly<Record<string, unknown>>[], base?: string): void;
  /** Without CORS the server answers, but a page can't read it. */
  setCors(isOpen: boolean): void;
  /** The first chat request that no earlier call of this got; waits for it. */
  nextRequest(): Promise<ReplayRequest>;
  /** The first given-up connection that no earlier call of this got; waits for it. */
  nextClose(): Promise<ReplayClose>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Items in the order of arrival; who asks before one came waits. */
class Arrivals<T> {
  readonly all: T[] = [];
  readonly #waiting: ((item: T) => void)[] = [];
  #taken = 0;

  add(item: T): void {
    this.all.push(item);
    const resolve = this.#waiting.shift();
    if (resolve === undefined) return;
    this.#taken += 1;
    resolve(item);
  }

  async next(): Promise<T> {
    const item = this.all[this.#taken];
    if (item !== undefined) {
      this.#taken += 1;
      return item;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Answers that the script itself broke off: their end is no sign of the client. */
const cutByServer = new WeakSet<ServerResponse>();

function cut(response: ServerResponse): void {
  cutByServer.add(response);
  response.destroy();
}

/** Where the protocols ask for an answer or a picture. Only Chat Completions is spoken here; the others get `raw` answers. */
const ANSWERED = /\/(chat\/completions|messages|responses|images\/generations)$|:(streamGenerateContent|generateContent)$/;

/** A list of models as every protocol finds its own in it. */
function listOf(models: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  return models.some((model) => 'supportedGenerationMethods' in model) ? { models } : { object: 'list', data: models, has_more: false };
}

/** Starts a server that speaks Chat Completions on this machine; `port` 0 takes any free one. */
export async function startReplayServer(port = 0): Promise<ReplayServer> {
  const requests: ReplayRequest[] = [];
  const chats = new Arrivals<ReplayRequest>();
  const closes = new Arrivals<ReplayClose>();
  const queue: Answer[] = [];
  const models = new Map<string, readonly Readonly<Record<string, unknown>>[]>([
    ['/v1', [{ id: 'replay-model', object: 'model', owned_by: 'replay' }]],
  ]);
  let fallback = echo;
  let hasCors = true;
  let answeredAt = 0;

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (hasCors) allow(incoming, response);
    if (incoming.method === 'OPTIONS') {
      response.writeHead(hasCors ? 204 : 403).end();
      return;
    }
    const request = await readRequest(incoming);
    requests.push(request);
    response.on('close', () => {
      if (!response.writableEnded && !cutByServer.has(response)) closes.add({ request, at: Date.now() });
    });
    const { pathname } = new URL(request.path, 'http://127.0.0.1');
    const listed = /^(.*)\/models$/.exec(pathname)?.[1];
    if (request.method === 'GET' && listed !== undefined) {
      sendJson(response, 200, listOf(models.get(listed) ?? models.get('/v1') ?? []));
    } else if (request.method === 'POST' && ANSWERED.test(pathname)) {
      const answer = queue.shift() ?? fallback(request);
      chats.add(request);
      await play(answer, request, response);
      answeredAt = Date.now();
    } else {
      sendJson(response, 404, { error: { message: `Invalid URL (${request.method} ${request.path})`, type: 'invalid_request_error' } });
    }
  };

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${addressOf(server.address()).port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    closed: closes.all,
    get answeredAt() {
      return answeredAt;
    },
    enqueue: (...answers) => {
      queue.push(...answers);
    },
    setDefault: (answer) => {
      fallback = answer;
    },
    setModels: (list, base = '/v1') => {
      models.set(base, list);
    },
    setCors: (isOpen) => {
      hasCors = isOpen;
    },
    nextRequest: () => chats.next(),
    nextClose: () => closes.next(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function play(answer: Answer, request: ReplayRequest, response: ServerResponse): Promise<void> {
  if (answer.firstByteDelayMs !== undefined) await delay(answer.firstByteDelayMs);
  await answer.holdBefore?.released;
  switch (answer.type) {
    case 'hang':
      return;
    case 'page':
      response.writeHead(answer.status ?? 200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(answer.html ?? '<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>');
      return;
    case 'error': {
      const isText = typeof answer.body === 'string';
      response.writeHead(answer.status, { 'content-type': isText ? 'text/plain' : 'application/json', ...answer.headers });
      response.end(isText ? answer.body : JSON.stringify(answer.body));
      return;
    }
    case 'raw':
      response.writeHead(answer.status ?? 200, { 'content-type': answer.contentType ?? 'text/event-stream' });
      for (const piece of answer.pieces) await write(response, piece);
      if (answer.ending === 'cut') cut(response);
      else if (answer.ending === undefined) response.end();
      return;
    case 'text':
      if (isStreaming(request.body)) await playText(answer, response);
      else sendJson(response, 200, wholeAnswer(answer));
  }
}

type TextAnswer = Extract<Answer, { type: 'text' }>;

async function playText(answer: TextAnswer, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const pauseMs = answer.tokensPerSecond === undefined ? 0 : 1000 / answer.tokensPerSecond;
  const start = performance.now();
  const deltas = deltasOf(answer);
  for (const [index, delta] of deltas.entries()) {
    if (index === answer.cutAfterDeltas) {
      cut(response);
      return;
    }
    if (index === answer.hold?.afterDeltas) await answer.hold.hold.released;
    // Against the start, not the last delta: timers are late and their lateness would add up.
    const waitMs = start + index * pauseMs - performance.now();
    if (pauseMs > 0 && waitMs > 0) await delay(waitMs);
    if (response.destroyed) return;
    await write(response, `data: ${JSON.stringify(chunkOf({ delta, finish_reason: null }))}\n\n`);
  }
  await write(response, `data: ${JSON.stringify(chunkOf({ delta: {}, finish_reason: finishReasonOf(answer) }))}\n\n`);
  if (answer.usage !== undefined) {
    await write(response, `data: ${JSON.stringify({ ...chunkOf(null), usage: answer.usage })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

function deltasOf(answer: TextAnswer): readonly Record<string, unknown>[] {
  const size = answer.deltaSize ?? 4;
  return [
    ...slices(answer.reasoning ?? '', size).map((text) => ({ reasoning_content: text })),
    ...slices(answer.text, size).map((text) => ({ content: text })),
    ...(answer.calls ?? []).flatMap((call, index) => [
      { tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] },
      ...slices(call.arguments, size).map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] })),
    ]),
  ];
}

function wholeAnswer(answer: TextAnswer): Record<string, unknown> {
  const calls = (answer.calls ?? []).map(({ id, ...details }) => ({ id, type: 'function', function: details }));
  const message = {
    role: 'assistant',
    content: answer.text,
    ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choices = [{ index: 0, message, finish_reason: finishReasonOf(answer) }];
  return { id: 'replay', object: 'chat.completion', model: 'replay-model', choices, ...(answer.usage && { usage: answer.usage }) };
}

function finishReasonOf(answer: TextAnswer): string {
  return answer.finishReason ?? ((answer.calls ?? []).length > 0 ? 'tool_calls' : 'stop');
}

function chunkOf(choice: Record<string, unknown> | null): Record<string, unknown> {
  const choices = choice === null ? [] : [{ index: 0, ...choice }];
  return { id: 'replay', object: 'chat.completion.chunk', created: 0, model: 'replay-model', choices };
}

/** Pieces of whole characters: a delta is JSON text and never cuts one in two. */
function slices(text: string, size: number): readonly string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(''));
}

/** Resolves once the piece is with the system, so that a cut after it doesn't take it back. */
async function write(response: ServerResponse, piece: Uint8Array | string): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.write(piece, () => {
      response.off('close', resolve);
      resolve();
    });
  });
}

function echo(request: ReplayRequest): Answer {
  return { type: 'text', text: `Echo: ${lastUserText(request.body)}` };
}

function lastUserText(body: unknown): string {
  const messages = isRecord(body) && Array.isArray(body['messages']) ? body['messages'].filter(isRecord) : [];
  const content = messages.findLast((message) => message['role'] === 'user')?.['content'];
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.filter(isRecord) : [];
  return parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : '[image]')).join(' ');
}

async function readRequest(incoming: IncomingMessage): Promise<ReplayRequest> {
  const at = Date.now();
  const pieces: Buffer[] = [];
  for await (const piece of incoming) if (piece instanceof Buffer) pieces.push(piece);
  const text = Buffer.concat(pieces).toString('utf8');
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body: parse(text), at };
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function allow(incoming: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', incoming.headers.origin ?? '*');
  response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS');
  response.setHeader('access-control-allow-headers', incoming.headers['access-control-request-headers'] ?? '*');
  response.setHeader('access-control-expose-headers', 'retry-after, retry-after-ms, date');
  response.setHeader('access-control-allow-private-network', 'true');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function isStreaming(body: unknown): boolean {
  return isRecord(body) && body['stream'] === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The replay server has no port.');
  return address;
}

// From the command line: `replay-server.ts [port]`, with any runner that knows TypeScript.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startReplayServer(Number(process.argv[2] ?? 0));
  process.stdout.write(`${server.url}\n`);
}
