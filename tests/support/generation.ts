import type { Account, ModelCapabilities } from '../../src/core/account';
import type { AppError } from '../../src/core/errors';
import type { FinishReason } from '../../src/core/node';
import type { ModelRequest } from '../../src/core/request';
import { applyChanges, type RunDelta, type RunEnd, type RunSnapshot } from '../../src/core/run';
import type { StreamEvent } from '../../src/core/stream';
import type { Desk } from '../../src/generation/desk';
import type { Environment } from '../../src/generation/environment';
import type { RunSubscriber } from '../../src/generation/hooks/events';
import { Sessions } from '../../src/generation/sessions';
import type { Provider } from '../../src/providers/provider';
import type { AnyTool } from '../../src/tools/tool';
import { saveAccount } from '../../src/storage/accounts';
import type { JackdawDatabase } from '../../src/storage/db';
import { openDatabase } from '../../src/storage/open';
import { writeSetting } from '../../src/storage/settings';
import { FakeLocks } from './locks';
import { noDevice } from './no-device';

/** Time that stands still until a test moves it, and a time of day that a test may set as it likes. */
export class ManualClock {
  elapsed = 0;
  #offsetMs = 1_000_000;
  readonly #timers = new Set<{ due: number; callback: () => void }>();

  /** The time of day. */
  get now(): number {
    return this.elapsed + this.#offsetMs;
  }

  /** Sets the time of day; no timer notices. */
  set now(at: number) {
    this.#offsetMs = at - this.elapsed;
  }

  schedule(ms: number, callback: () => void): () => void {
    const timer = { due: this.elapsed + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Milliseconds until the next timer rings; undefined where none is set. */
  get nextMs(): number | undefined {
    return this.#timers.size === 0 ? undefined : Math.min(...[...this.#timers].map((timer) => timer.due)) - this.elapsed;
  }

  /** How many timers ring in exactly `ms`. */
  ringing(ms: number): number {
    return [...this.#timers].filter((timer) => timer.due === this.elapsed + ms).length;
  }

  /** Moves on by `ms`, calling what falls due in order. */
  advance(ms: number): void {
    const end = this.elapsed + ms;
    for (;;) {
      const next = [...this.#timers].filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.elapsed = Math.max(this.elapsed, next.due);
      next.callback();
    }
    this.elapsed = end;
  }
}

/** One answer that a test writes as it goes. */
export class ScriptedAnswer {
  readonly #queue: (StreamEvent | AppError | 'end')[] = [];
  #wake: () => void = () => undefined;
  isAborted = false;

  say(...events: readonly (StreamEvent | AppError | 'end')[]): this {
    this.#queue.push(...events);
    this.#wake();
    return this;
  }

  text(text: string): this {
    return this.say({ type: 'text-delta', text });
  }

  finish(): this {
    return this.say({ type: 'finish', reason: 'stop', rawReason: 'stop' }, 'end');
  }

  /** A call with its arguments; `callId` is our own name for it. */
  call(callId: string, name: string, args: unknown = {}): this {
    const argumentsText = typeof args === 'string' ? args : JSON.stringify(args);
    return this.say({ type: 'tool-call-start', callId, wireId: callId, name }, { type: 'tool-call-delta', callId, argumentsText });
  }

  /** The end of an answer that calls tools, or of one that was cut in it. */
  finishCalls(reason: FinishReason = 'tool_calls'): this {
    return this.say({ type: 'finish', reason, rawReason: reason }, 'end');
  }

  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const abort = (): void => {
      this.isAborted = true;
      this.#wake();
    };
    signal.addEventListener('abort', abort);
    try {
      for (;;) {
        signal.throwIfAborted();
        const next = this.#queue.shift();
        if (next === 'end') return;
        if (next instanceof Error) throw next;
        if (next !== undefined) yield next;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

/** A provider whose answers are scripts, in the order in which they are asked for. */
export class ScriptedProvider implements Provider {
  readonly id = 'scripted';
  readonly name = 'Scripted';
  readonly requests: ModelRequest[] = [];
  readonly #answers: ScriptedAnswer[] = [];
  readonly #arrivals: (() => void)[] = [];

  next(): ScriptedAnswer {
    const answer = new ScriptedAnswer();
    this.#answers.push(answer);
    return answer;
  }

  /** Resolves when request number `count` (from 1) has arrived. */
  async asked(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.#arrivals.push(resolve));
  }

  modelsUrl(): string {
    return 'http://localhost/v1/models';
  }

  async listModels(): Promise<[]> {
    return [];
  }

  capabilities(modelId: string): ModelCapabilities {
    return { vision: modelId.includes('vision'), tools: modelId.includes('tools'), reasoning: false, contextTokens: null };
  }

  async *stream(request: ModelRequest, _account: Account, io: { signal: AbortSignal }): AsyncGenerator<StreamEvent> {
    const answer = this.#answers[this.requests.length] ?? this.next();
    this.requests.push(request);
    for (const arrive of this.#arrivals.splice(0)) arrive();
    yield* answer.events(io.signal);
  }
}

/** A model that calls tools. */
export const TOOL_MODEL = { accountId: 'account', modelId: 'model-with-tools' } as const;

export const MODEL = { accountId: 'account', modelId: 'model' } as const;

let databases = 0;

/** A desk over a real database, a scripted provider and a clock that stands still; `heard` is what tabs would hear, in order. */
export async function testDesk(
  options: {
    locks?: FakeLocks;
    database?: JackdawDatabase;
    worker?: string;
    tools?: readonly AnyTool[];
    subscribers?: readonly RunSubscriber[];
  } = {},
) {
  const clock = new ManualClock();
  const provider = new ScriptedProvider();
  const database = options.database ?? (await freshDatabase());
  const heard = new Hearing();
  let ids = 0;
  const prefix = (options.worker ?? '0').charCodeAt(0).toString(16).padStart(8, '0');
  const environment: Environment = {
    ...environmentOver(database, provider, {
      now: () => clock.now,
      elapsed: () => clock.elapsed,
      newId: () => `${prefix}-0000-4000-8000-${(++ids).toString(16).padStart(12, '0')}`,
      random: () => 0.5,
      schedule: (ms, callback) => clock.schedule(ms, callback),
    }),
    tools: () => Promise.resolve(options.tools ?? []),
    runSubscribers: options.subscribers ?? [],
  };
  const locks = (options.locks ?? new FakeLocks()).forWorker(options.worker ?? 'worker');
  const sessions = new Sessions(locks, (ms, callback) => clock.schedule(ms, callback));
  const desk: Desk = { environment, sessions, feed: heard };
  return { desk, clock, provider, database, heard, locks };
}

/** The surroundings of a turn over a real database: time, ids and chance as a test gives them, and no network. */
export function environmentOver(
  database: JackdawDatabase,
  provider: Provider,
  given: Pick<Environment, 'now' | 'elapsed' | 'newId' | 'random' | 'schedule'>,
): Environment {
  return {
    ...given,
    ...noDevice,
    database,
    tools: () => Promise.resolve([]),
    debugLog: null,
    runSubscribers: [],
    timeZone: () => 'UTC',
    device: 'device',
    providers: [provider],
    sleep: async (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const stop = (): void => {
          cancel();
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        };
        const cancel = given.schedule(ms, () => {
          signal.removeEventListener('abort', stop);
          resolve();
        });
        signal.addEventListener('abort', stop, { once: true });
      }),
    surroundings: { pageOrigin: 'http://localhost', isOnline: () => true, isSafari: false, permission: async () => 'unknown' },
    gate: {
      fetch: async () => {
        throw new Error('a scripted provider asks nobody');
      },
    },
  };
}

/** An empty database with one account and a default model. */
export async function freshDatabase(): Promise<JackdawDatabase> {
  const database = await openDatabase({ name: `generation-${++databases}`, onBlocked: () => undefined, onOutdated: () => undefined });
  const stamp = { at: 1, device: 'device' };
  await saveAccount(
    database,
    {
      id: 'account',
      provider: 'scripted',
      preset: 'custom',
      name: 'Scripted',
      baseUrl: 'http://localhost/v1',
      hasKey: false,
      streaming: true,
      reasoning: 'auto',
      sampling: {},
      headers: [],
      body: {},
      overrides: {},
    },
    null,
    stamp,
  );
  await writeSetting(database, 'defaultModel', MODEL, stamp);
  return database;
}

/** Keeps what a tab would see: the run's parts by snapshot and deltas, the ends, the notices. */
export class Hearing {
  readonly starts: RunSnapshot[] = [];
  readonly deltas: RunDelta[] = [];
  readonly ends: RunEnd[] = [];
  readonly notices: AppError[] = [];
  readonly #onEnd: (() => void)[] = [];

  started(snapshot: RunSnapshot): void {
    this.starts.push(snapshot);
  }

  delta(delta: RunDelta): void {
    this.deltas.push(delta);
  }

  ended(end: RunEnd): void {
    this.ends.push(end);
    for (const resolve of this.#onEnd.splice(0)) resolve();
  }

  notice(error: AppError): void {
    this.notices.push(error);
  }

  /** Resolves when `count` runs have ended. */
  async end(count = 1): Promise<RunEnd | undefined> {
    while (this.ends.length < count) await new Promise<void>((resolve) => this.#onEnd.push(resolve));
    return this.ends[count - 1];
  }

  /** The text that a tab shows for a run right now. */
  shown(nodeId: string): string {
    const snapshot = this.starts.find((start) => start.nodeId === nodeId);
    const parts = this.deltas
      .filter((delta) => delta.nodeId === nodeId && delta.revision > (snapshot?.revision ?? 0))
      .reduce((current, delta) => applyChanges(current, delta.changes), snapshot?.parts ?? []);
    return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }
}

/** Lets everything that needs no time happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
