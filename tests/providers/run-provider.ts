import type { Account } from '../../src/core/account';
import { AppError, isAbort } from '../../src/core/errors';
import type { Part, Usage } from '../../src/core/node';
import type { ModelRequest } from '../../src/core/request';
import { reduce, type StreamEvent } from '../../src/core/stream';
import type { Gate } from '../../src/outbound/gate';
import type { Provider } from '../../src/providers/provider';
import { noDevice } from '../support/no-device';

export const TEST_KEY = 'test-key-0123456789';

/** An account at `baseUrl` with nothing set. */
export function testAccount(baseUrl: string, overrides: Partial<Account> = {}): Account {
  return {
    id: 'account-1',
    provider: 'openai-chat',
    preset: 'custom',
    name: 'Test',
    baseUrl,
    hasKey: true,
    streaming: true,
    reasoning: 'auto',
    sampling: {},
    headers: [],
    body: {},
    overrides: {},
    ...overrides,
  };
}

/** A request with one user message. */
export function testRequest(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    modelId: 'replay-model',
    system: [],
    history: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    toolChoice: 'auto',
    sampling: {},
    reasoning: 'auto',
    stream: true,
    hostedSearch: false,
    store: false,
    cacheKey: '',
    ...overrides,
  };
}

export interface RunResult {
  readonly events: readonly StreamEvent[];
  readonly parts: readonly Part[];
  readonly usage: Usage | undefined;
  /** The AppError it ended in, `abort`, or undefined. Anything else that is thrown fails the test. */
  readonly failure: AppError | 'abort' | undefined;
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
}

export interface RunOptions {
  readonly gate: Gate;
  readonly account: Account;
  readonly request?: ModelRequest;
  readonly key?: string | null;
  readonly controller?: AbortController;
  /** Sees every event with its number, before the next is asked for. */
  readonly onEvent?: (event: StreamEvent, count: number) => void;
}

/** One step through a provider and `core/stream`'s reduce, whatever its end. */
export async function runProvider(provider: Provider, options: RunOptions): Promise<RunResult> {
  const { gate, account, request = testRequest(), key = TEST_KEY, controller = new AbortController() } = options;
  const events: StreamEvent[] = [];
  let parts: readonly Part[] = [];
  let usage: Usage | undefined;
  let failure: RunResult['failure'];
  let ids = 0;
  const origin = { provider: provider.id, modelId: request.modelId };
  const io = { gate, key, signal: controller.signal, newId: () => `id-${++ids}`, ...noDevice };
  try {
    for await (const event of provider.stream(request, account, io)) {
      events.push(event);
      parts = reduce(parts, event, { step: 0, at: events.length, origin });
      if (event.type === 'usage') usage = event.usage;
      options.onEvent?.(event, events.length);
    }
  } catch (error) {
    if (isAbort(error)) failure = 'abort';
    else if (error instanceof AppError) failure = error;
    else throw error;
  }
  const join = (type: 'text' | 'reasoning' | 'refusal'): string => parts.map((part) => (part.type === type ? part.text : '')).join('');
  return { events, parts, usage, failure, text: join('text'), reasoning: join('reasoning'), refusal: join('refusal') };
}

/** What the contract says of every end: exactly one finish as the last event, or a failure and no finish. */
export function endsProperly(result: RunResult): boolean {
  const finishes = result.events.filter((event) => event.type === 'finish').length;
  return result.failure === undefined ? finishes === 1 && result.events.at(-1)?.type === 'finish' : finishes === 0;
}
