import type { ModelCapabilities } from '../../../src/core/account';
import { AppError } from '../../../src/core/errors';
import type { ModelRequest } from '../../../src/core/request';
import type { StreamEvent } from '../../../src/core/stream';
import type { Provider } from '../../../src/providers/provider';
import { between } from '../random';
import type { Life } from './life';
import { numberedWord } from './numbered-words';

/** One request to the model, from its beginning to its end. */
export interface Request {
  readonly number: number;
  /** Name of the worker that asked. */
  readonly worker: string;
  readonly conversationId: string;
  readonly life: Life;
  readonly signal: AbortSignal;
  readonly script: (StreamEvent | AppError)[];
  /** How many words it has said, and would have said in all. */
  said: number;
  readonly words: number;
  isOver: boolean;
  wake: (() => void) | undefined;
}

/** A model for many tabs: each answer is a random script, and it says the next piece of one whenever it is told to speak. */
export class TalkativeModel {
  readonly requests: Request[] = [];
  readonly #random: () => number;
  readonly #onBegin: (request: Request) => void;

  constructor(random: () => number, onBegin: (request: Request) => void) {
    this.#random = random;
    this.#onBegin = onBegin;
  }

  /** The model as one worker sees it. */
  providerFor(worker: string, life: Life): Provider {
    return {
      id: 'scripted',
      name: 'Scripted',
      listModels: async () => [],
      modelsUrl: () => 'http://localhost/v1/models',
      capabilities: (): ModelCapabilities => ({ vision: false, tools: true, reasoning: false, contextTokens: null }),
      stream: (request, _account, io) => this.#answer(request, { worker, life, signal: io.signal, newId: io.newId }),
    };
  }

  /** Requests that nobody has ended: neither the model, nor a stop, nor the death of who asked. */
  get open(): readonly Request[] {
    return this.requests.filter((request) => !request.isOver && !request.life.isDead);
  }

  /** One of the open requests gets its next piece, if its worker can hear it. False: nobody can. */
  speak(choose: (count: number) => number): boolean {
    const ready = this.open.filter((request) => request.life.isAwake && request.wake !== undefined);
    const request = ready[choose(ready.length)];
    if (request === undefined) return false;
    const { wake } = request;
    request.wake = undefined;
    wake?.();
    return true;
  }

  async *#answer(
    request: ModelRequest,
    { worker, life, signal, newId }: { worker: string; life: Life; signal: AbortSignal; newId: () => string },
  ): AsyncGenerator<StreamEvent> {
    const number = this.requests.length;
    const script = this.#script(number, newId);
    const words = script.filter((event) => !(event instanceof AppError) && event.type === 'text-delta').length;
    const conversationId = request.cacheKey;
    const asked: Request = { number, worker, conversationId, life, signal, script, words, said: 0, isOver: false, wake: undefined };
    // A worker that died while it was about to ask never asks.
    if (life.isDead) await new Promise(() => undefined);
    this.requests.push(asked);
    this.#onBegin(asked);
    try {
      for (;;) {
        await new Promise<void>((resolve) => (asked.wake = resolve));
        signal.throwIfAborted();
        const event = script.shift();
        if (event === undefined) return;
        if (event instanceof AppError) throw event;
        if (event.type === 'text-delta') asked.said += 1;
        yield event;
      }
    } finally {
      asked.isOver = true;
    }
  }

  #script(number: number, newId: () => string): (StreamEvent | AppError)[] {
    const chance = (share: number): boolean => this.#random() < share;
    const script: (StreamEvent | AppError)[] = [];
    if (chance(0.2)) script.push({ type: 'usage', usage: { inputTokens: 7 } });
    if (chance(0.1)) return [...script, new AppError('overloaded', { retryable: true })];
    if (chance(0.05)) return [...script, new AppError('auth')];
    if (chance(0.4))
      for (let thought = between(this.#random, 1, 4); thought > 0; thought--) script.push({ type: 'reasoning-delta', text: 'hm ' });
    const words = between(this.#random, 0, 8);
    for (let index = 0; index < words; index++) script.push({ type: 'text-delta', text: numberedWord(number, index) });
    const ending = this.#random();
    if (ending < 0.1) script.push(new AppError('stream-cut', { retryable: true }));
    else if (ending < 0.2) {
      const callId = newId();
      script.push({ type: 'tool-call-start', callId, wireId: 'c', name: 'note' });
      script.push({ type: 'tool-call-delta', callId, argumentsText: '{"half":' });
    } else if (ending < 0.5) {
      for (let calls = between(this.#random, 1, 3); calls > 0; calls--) {
        const callId = newId();
        script.push({ type: 'tool-call-start', callId, wireId: `c${calls}`, name: chance(0.6) ? 'pay' : 'note' });
        script.push({ type: 'tool-call-delta', callId, argumentsText: '{}' });
      }
    }
    script.push({ type: 'usage', usage: { inputTokens: 7, outputTokens: words } });
    script.push({ type: 'finish', reason: 'stop', rawReason: 'stop' });
    return script;
  }
}
