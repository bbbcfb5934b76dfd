import { isAbort } from '../core/errors';
import { isOpenCall, type Part, type StepContent, type ToolFailure, type ToolPart } from '../core/node';
import { providerIo } from './provider-io';
import { readKey } from '../storage/accounts';
import { readModelList } from '../storage/model-lists';
import type { MadeImage } from '../providers/provider';
import type { PictureShape } from '../core/picture';
import type { ToolContext, ToolOutcome } from '../tools/tool';
import { checkCall, failuresBefore, withCalls, withoutProgress } from './calls';
import { keptResult } from './tool-output';
import type { Publisher } from './publisher';
import type { TurnContext } from './turn-context';

/** Shows and keeps what a step's calls become. */
type Keep = (step: StepContent) => void;

/**
 * Runs the open calls of a step that need nobody's word any more, one after the other, in the order in which the model made them. Each is on disk as
 * running before it begins. A failure becomes the result that the model reads. Throws only AbortError, once the turn's signal fires.
 */
export async function runCalls(turn: TurnContext, step: StepContent, publisher: Publisher): Promise<StepContent> {
  let current = step;
  const keep: Keep = (next) => {
    current = next;
    publisher.changed({ isStructural: true, hasOutput: false });
  };
  publisher.work(step.finishReason ?? null, () => current.parts);
  for (const { callId } of step.parts.filter(isOpenCall)) {
    turn.signal.throwIfAborted();
    await runCall(turn, callId, { publisher, read: () => current, keep });
  }
  return current;
}

interface Workplace {
  readonly publisher: Publisher;
  readonly read: () => StepContent;
  readonly keep: Keep;
}

async function runCall(turn: TurnContext, callId: string, { publisher, read, keep }: Workplace): Promise<void> {
  const put = (change: (call: ToolPart) => ToolPart): ToolPart | undefined => {
    keep(withCalls(read(), (call) => (call.callId === callId ? change(call) : call)));
    return find(read(), callId);
  };
  const tell = (type: 'tool_execution_start' | 'tool_execution_update' | 'tool_execution_end', call: ToolPart | undefined): void => {
    if (call !== undefined) turn.events.emit({ type, step: call.step, call });
  };
  const call = put((open) => ({ ...open, execution: 'running', startedAt: turn.now() }));
  if (call === undefined) return;
  tell('tool_execution_start', call);
  await publisher.saveNow();
  // Another tab may have taken the answer over, and run this call itself.
  turn.signal.throwIfAborted();
  const report = (progress: string): void => {
    tell(
      'tool_execution_update',
      put((running) => (running.execution === 'running' ? { ...running, progress } : running)),
    );
  };
  const outcome = await outcomeOf(turn, call, read(), report);
  const answer = [...turn.steps.flatMap(({ parts }) => parts), ...read().parts];
  const noted = outcome.failure === undefined ? outcome : withNote(outcome, failuresBefore(call, answer));
  const result = await keptResult(turn.environment, call, noted);
  const ended = put((running) => ({
    ...withoutProgress(running),
    execution: outcome.failure === undefined ? 'done' : 'failed',
    endedAt: turn.now(),
    result,
    ...(outcome.failure === undefined ? {} : { failure: outcome.failure }),
  }));
  tell('tool_execution_end', ended);
}

/** Any way in which a call can end but the user's stop. */
async function outcomeOf(turn: TurnContext, call: ToolPart, step: StepContent, report: (progress: string) => void): Promise<ToolOutcome> {
  const checked = checkCall(call, step.finishReason ?? null, turn.toolbox);
  if ('failure' in checked) return checked;
  try {
    return await orStopped(checked.tool.call(checked.args, contextOf(turn, call, step, report)), turn.signal);
  } catch (error) {
    turn.signal.throwIfAborted();
    return { failure: failureOf(error), text: `${call.name} did not work: ${wordsOf(error)}` };
  }
}

/** A tool that doesn't listen must not keep the user waiting. */
async function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new DOMException('stopped', 'AbortError'));
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', stop);
    });
  });
}

function contextOf(turn: TurnContext, call: ToolPart, step: StepContent, report: (progress: string) => void): ToolContext {
  const { environment, facts, signal } = turn;
  const index = step.parts.findIndex((part) => part.type === 'tool' && part.callId === call.callId);
  const answer: readonly Part[] = [...turn.steps.flatMap(({ parts }) => parts), ...step.parts.slice(0, index)];
  return {
    facts,
    signal,
    database: environment.database,
    callId: call.callId,
    toolNames: turn.toolbox.tools.map((tool) => tool.name).sort(),
    before: turn.path.flatMap((node) => node.steps.flatMap(({ parts }) => parts)),
    answer,
    now: () => turn.now(),
    timeZone: environment.timeZone(),
    newId: () => environment.newId(),
    report,
    makeImage: async (prompt, shape) => makeImage(turn, prompt, shape),
  };
}

async function makeImage(turn: TurnContext, prompt: string, shape: PictureShape): Promise<MadeImage> {
  const { provider, account, environment, signal } = turn;
  const [key, listed] = await Promise.all([readKey(environment.database, account.id), readModelList(environment.database, account.id)]);
  const modelId = provider.imageModel?.(account, listed ?? []) ?? null;
  if (provider.makeImage === undefined || modelId === null) throw new Error('this provider makes no pictures.');
  return provider.makeImage({ modelId, prompt, shape }, account, providerIo(environment, key, signal));
}

function failureOf(error: unknown): ToolFailure {
  return error instanceof Error && 'code' in error && error.code === 'timeout' ? 'timeout' : 'failed';
}

/** Never a stack: it means nothing to a model, and is nobody's business on the wire. */
function wordsOf(error: unknown): string {
  if (isAbort(error)) return 'it was interrupted.';
  return error instanceof Error ? error.message : 'for an unknown reason.';
}

function withNote(outcome: ToolOutcome, failures: number): ToolOutcome {
  if (failures === 0) return outcome;
  return {
    ...outcome,
    text: `${outcome.text}\n\nThis very call has now failed ${String(failures + 1)} times. Do not repeat it unchanged.`,
  };
}

function find(step: StepContent, callId: string): ToolPart | undefined {
  const part = step.parts.find((candidate) => candidate.type === 'tool' && candidate.callId === callId);
  return part?.type === 'tool' ? part : undefined;
}
