import { toAppError, toErrorData } from '../core/errors';
import type { StepContent, Usage } from '../core/node';
import type { RunEnd } from '../core/run';
import { nextNodeStatus, type NodeEvent } from '../core/run-states';
import { foldRun } from '../storage/runs';
import { readConversation } from '../storage/conversations';
import { stampOf } from './environment';
import { Publisher, type Audience } from './publisher';
import { runEnd, storedEnd } from './run-end';
import { modelStep, type StepResult } from './step';
import type { TurnContext } from './turn-context';

// A write that fails for a passing reason works again within half a second; more tries would only keep the tab waiting.
const PERSIST_ATTEMPTS = 3;
const PERSIST_WAIT_MS = 150;

/** A turn under way: what tabs may ask of it while it runs. */
export interface RunningTurn {
  /** Id of the provider that answers. */
  readonly provider: string;
  readonly publisher: Publisher;
  /** Resolves when the answer is stored, or when storing it has failed; never rejects. */
  readonly done: Promise<TurnEnd>;
}

export interface TurnEnd {
  readonly end: RunEnd;
  /** Stores the answer after all; null where that is done. Throws storage codes. */
  readonly store: (() => Promise<void>) | null;
}

/**
 * Runs the model over a node that is already on disk with a run row beside it. The audience hears that it started before it hears anything
 * else. Every ending (answer, stop, failure) is stored before anyone hears of it: last flush, node and conversation in one transaction,
 * then the end.
 */
export function startTurn(turn: TurnContext, audience: Audience): RunningTurn {
  const publisher = new Publisher(turn, audience);
  audience.started(publisher.snapshot());
  return { provider: turn.provider.id, publisher, done: runTurn(turn, publisher, audience) };
}

async function runTurn(turn: TurnContext, publisher: Publisher, audience: Audience): Promise<TurnEnd> {
  const lastStep = turn.path.at(-1)?.id === turn.nodeId ? turn.path.at(-1)?.steps.at(-1) : undefined;
  const step = lastStep?.step ?? 0;
  const result = await modelStep(turn, step, publisher);
  await publisher.close();
  const content = stepContent(turn, publisher, result, lastStep);
  const status = nextNodeStatus('running', outcomeOf(result));
  const fold = (): Promise<boolean> =>
    foldRun(
      turn.environment.database,
      { conversationId: turn.conversationId, runId: turn.runId, nodeId: turn.nodeId, status, step: content },
      stampOf(turn.environment),
    );
  let store: TurnEnd['store'] = null;
  let isOurs = true;
  try {
    isOurs = await persist(turn, fold);
  } catch (error) {
    audience.notice(toAppError(error));
    store = async () => void (await fold());
  }
  publisher.end();
  const end = runEnd({ ...turn, status }, content, { title: await titleOf(turn), endedAt: turn.now() });
  // What another tab made of the run is what is true of it.
  return { end: isOurs ? end : await storedEnd(turn.environment, turn).catch(() => end), store };
}

/** For the notification of the end, which is told with or without it. */
async function titleOf({ environment, conversationId }: TurnContext): Promise<string> {
  return readConversation(environment.database, conversationId).then(
    (row) => row?.title ?? '',
    () => '',
  );
}

function outcomeOf(result: StepResult): NodeEvent {
  if (result.failure === null) return 'complete';
  return result.failure === 'stopped' ? 'interrupt' : 'fail';
}

function stepContent(turn: TurnContext, publisher: Publisher, result: StepResult, continued: StepContent | undefined): StepContent {
  const usage = mergeUsage(continued?.usage, publisher.usage);
  return {
    step: publisher.step,
    parts: result.parts,
    model: turn.model,
    ...timesOf(publisher, continued),
    endedAt: turn.now(),
    ...(usage === undefined ? {} : { usage }),
    ...(result.finishReason === null ? {} : { finishReason: result.finishReason }),
    ...(result.failure === null || result.failure === 'stopped' ? {} : { error: toErrorData(result.failure) }),
  };
}

/** A continued answer took as long as both requests: it is as if the first one had ended when the second began. */
function timesOf(publisher: Publisher, continued: StepContent | undefined): Pick<StepContent, 'startedAt' | 'firstOutputAt'> {
  const earlier = continued?.startedAt;
  const shiftMs = earlier === undefined ? 0 : publisher.startedAt - (continued?.endedAt ?? earlier);
  const firstOutputAt = continued?.firstOutputAt === undefined ? publisher.firstOutputAt : continued.firstOutputAt + shiftMs;
  return {
    startedAt: earlier === undefined ? publisher.startedAt : earlier + shiftMs,
    ...(firstOutputAt === undefined ? {} : { firstOutputAt }),
  };
}

/** A continued answer was paid for in two requests: its output adds up, its prompt is the newest. */
function mergeUsage(before: Usage | undefined, now: Usage | undefined): Usage | undefined {
  if (before === undefined || now === undefined) return now ?? before;
  if (before.outputTokens === undefined || now.outputTokens === undefined) return { ...before, ...now };
  return { ...before, ...now, outputTokens: before.outputTokens + now.outputTokens };
}

async function persist(turn: TurnContext, fold: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fold();
    } catch (error) {
      if (attempt === PERSIST_ATTEMPTS) throw error;
      await turn.environment.sleep(PERSIST_WAIT_MS * attempt, new AbortController().signal);
    }
  }
}
