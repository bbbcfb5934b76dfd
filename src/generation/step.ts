import { AppError, isAbort, toAppError } from '../core/errors';
import type { FinishReason, Part } from '../core/node';
import type { RetryNotice } from '../core/run';
import { closeReasoning, isEffective, reduce, type StreamEvent } from '../core/stream';
import { DEFAULT_RETRY_POLICY, nextDelay } from '../outbound/retry';
import { readKey } from '../storage/accounts';
import { saveBlob } from '../storage/blobs';
import type { ProviderIo } from '../providers/provider';
import { withoutOpenCalls } from './calls';
import { OUTPUT_TRANSFORMERS } from './output';
import type { OutputPass } from './output/transformer';
import type { Publisher } from './publisher';
import { providerIo } from './provider-io';
import { buildRequest } from './request';
import type { TurnContext } from './turn-context';

// A countdown that is wrong for longer than a second is seen to be wrong.
const COUNTDOWN_MS = 1000;

/** How a model step ended. `parts` is the stored form of everything that arrived, also where it failed. */
export interface StepResult {
  readonly parts: readonly Part[];
  readonly finishReason: FinishReason | null;
  readonly failure: AppError | 'stopped' | null;
}

/** What of a step has arrived: raw parts, and their stored form made by the output passes. */
class StepOutput {
  readonly #turn: TurnContext;
  readonly #step: number;
  #passes: readonly OutputPass[];
  #raw: readonly Part[] = [];
  #hasOutput = false;

  constructor(turn: TurnContext, step: number) {
    this.#turn = turn;
    this.#step = step;
    this.#passes = freshPasses(turn);
  }

  /** Whether something came that the user would see or pay for. */
  get hasOutput(): boolean {
    return this.#hasOutput;
  }

  /** Forgets an attempt that failed before it had output: what it left in signatures belongs to no answer. */
  clear(): void {
    this.#raw = [];
    this.#passes = freshPasses(this.#turn);
  }

  /** Returns whether the event began or ended a part. */
  add(event: StreamEvent): boolean {
    const before = this.#raw.length;
    const origin = { provider: this.#turn.provider.id, modelId: this.#turn.model.modelId };
    this.#raw = reduce(this.#raw, event, { step: this.#step, at: this.#turn.now(), origin });
    if (isEffective(event)) this.#hasOutput = true;
    return this.#raw.length !== before;
  }

  stored(isFinal: boolean): readonly Part[] {
    const at = this.#turn.now();
    const raw = isFinal ? closeReasoning(this.#raw, at) : this.#raw;
    const parts = this.#passes.reduce((current, pass) => pass.stored(current, at, isFinal), raw);
    return isFinal ? closeReasoning(parts, at) : parts;
  }
}

function freshPasses(turn: TurnContext): readonly OutputPass[] {
  return OUTPUT_TRANSFORMERS.map((transformer) => transformer.begin(turn));
}

/**
 * One request and its answer, tried again while nothing of it has been seen (own budget a step). Never throws for a failure or a stop:
 * both come back with the parts so far.
 */
export async function modelStep(turn: TurnContext, step: number, publisher: Publisher): Promise<StepResult> {
  const output = new StepOutput(turn, step);
  publisher.begin(step, () => output.stored(false));
  try {
    const finishReason = await attempts(turn, output, publisher);
    return { parts: output.stored(true), finishReason, failure: null };
  } catch (error) {
    const failure = turn.signal.aborted || isAbort(error) ? 'stopped' : toAppError(error);
    // A call that was being written when it ended is half a call.
    return { parts: withoutOpenCalls(output.stored(true)), finishReason: null, failure };
  }
}

async function attempts(turn: TurnContext, output: StepOutput, publisher: Publisher): Promise<FinishReason> {
  const { environment } = turn;
  const beganMs = environment.elapsed();
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(turn, output, publisher);
    } catch (error) {
      turn.signal.throwIfAborted();
      const failure = toAppError(error);
      // Without a network the user is told at once; waiting would only hide why.
      const canPass = !output.hasOutput && failure.code !== 'offline';
      const elapsedMs = environment.elapsed() - beganMs;
      const delayMs = canPass ? nextDelay(failure, attempt, elapsedMs, DEFAULT_RETRY_POLICY, () => environment.random()) : null;
      if (delayMs === null) throw failure;
      output.clear();
      await pause(turn, publisher, delayMs, { attempt, error: { code: failure.code, retryable: true, details: failure.details } });
    }
  }
}

/** Waits with a countdown. It is told as a time of day, so it is told again when the clock was set meanwhile. */
async function pause(turn: TurnContext, publisher: Publisher, delayMs: number, notice: Omit<RetryNotice, 'resumesAt'>): Promise<void> {
  const { environment } = turn;
  const endMs = environment.elapsed() + delayMs;
  let resumesAt = environment.now() + delayMs;
  publisher.pause({ ...notice, resumesAt });
  for (let leftMs = delayMs; leftMs > 0;) {
    const sliceMs = Math.min(leftMs, COUNTDOWN_MS);
    await environment.sleep(sliceMs, turn.signal);
    // Whichever is less: a tab that was frozen meanwhile has waited long enough.
    leftMs = Math.min(leftMs - sliceMs, endMs - environment.elapsed());
    if (leftMs <= 0 || Math.abs(environment.now() + leftMs - resumesAt) < COUNTDOWN_MS) continue;
    resumesAt = environment.now() + leftMs;
    publisher.correct({ ...notice, resumesAt });
  }
  publisher.resume();
}

async function attemptOnce(turn: TurnContext, output: StepOutput, publisher: Publisher): Promise<FinishReason> {
  const { environment } = turn;
  const [request, key] = await Promise.all([buildRequest(turn), readKey(environment.database, turn.account.id)]);
  const io = tracedIo(turn, providerIo(environment, key, turn.signal));
  let finishReason: FinishReason | undefined;
  for await (const event of turn.provider.stream(request, turn.account, io)) {
    if (event.type === 'usage') publisher.report(event.usage);
    else if (event.type === 'wait') publisher.wait(event.wait);
    else if (event.type === 'finish') finishReason = event.reason;
    else {
      const isStructural = output.add(event.type === 'image' ? await storeImage(turn, event) : event);
      publisher.changed({ isStructural, hasOutput: output.hasOutput });
    }
  }
  turn.signal.throwIfAborted();
  if (finishReason === undefined) throw new AppError('stream-cut', { retryable: true });
  return finishReason;
}

/** In agent-dev everything that leaves is written down as it leaves. */
function tracedIo({ environment, events, profile }: TurnContext, io: ProviderIo): ProviderIo {
  const { debugLog } = environment;
  if (!profile.isTraced || debugLog === null) return io;
  return { ...io, gate: debugLog.traced(io.gate, events.run, io.key) };
}

/** Pictures go to the blob store as they come; the part only names them. Throws storage codes. */
async function storeImage(turn: TurnContext, { mimeType, base64 }: Extract<StreamEvent, { type: 'image' }>): Promise<StreamEvent> {
  const { database } = turn.environment;
  const bytes = bytesOf(base64);
  const blob = await saveBlob(database, bytes.buffer, mimeType, turn.environment.now());
  const name = `image.${mimeType.replace(/^.*\//, '')}`;
  return { type: 'media', media: { kind: 'image', blob, mimeType, name, sizeBytes: bytes.byteLength } };
}

/** What can be read of base64 in either alphabet: a damaged picture must not cost the answer around it. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const clean = base64
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  const whole = clean.length % 4 === 1 ? clean.slice(0, -1) : clean;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}
