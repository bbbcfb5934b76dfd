import { toAppError } from '../core/errors';
import type { RunEnd } from '../core/run';
import { nextNodeStatus } from '../core/run-states';
import { foldRun } from '../storage/runs';
import { readConversation } from '../storage/conversations';
import { stampOf } from './environment';
import { runLoop } from './loop';
import { positionOf } from './position';
import { Publisher, type Audience } from './publisher';
import { runEnd, storedEnd } from './run-end';
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
 * Runs the model and its tools over a node that is already on disk with a run row beside it. The audience hears that it started before it hears anything
 * else. Every ending (answer, stop, failure) is stored before anyone hears of it: last flush, node and conversation in one transaction,
 * then the end.
 */
export function startTurn(turn: TurnContext, audience: Audience): RunningTurn {
  const position = positionOf(turn.steps);
  const start = position.type === 'calls' ? position.step : { step: position.step, parts: position.continued };
  const publisher = new Publisher(turn, audience, start);
  audience.started(publisher.snapshot());
  return { provider: turn.provider.id, publisher, done: runTurn(turn, publisher, audience) };
}

async function runTurn(turn: TurnContext, publisher: Publisher, audience: Audience): Promise<TurnEnd> {
  turn.events.emit({ type: 'agent_start' });
  const { event, last, unsaved } = await runLoop(turn, publisher, audience);
  await publisher.close();
  const status = nextNodeStatus('running', event);
  const { conversationId, runId, nodeId, environment } = turn;
  const fold = (): Promise<boolean> =>
    foldRun(environment.database, { conversationId, runId, nodeId, status, step: last, unsaved }, stampOf(environment));
  let store: TurnEnd['store'] = null;
  let isOurs = true;
  try {
    isOurs = await persist(turn, fold);
  } catch (error) {
    audience.notice(toAppError(error));
    store = async () => void (await fold());
  }
  publisher.end();
  const told = runEnd({ ...turn, status }, last, { title: await titleOf(turn), endedAt: turn.now() });
  // What another tab made of the run is what is true of it.
  const end = isOurs ? told : await storedEnd(environment, turn).catch(() => told);
  turn.events.emit({ type: 'agent_end', end });
  return { end, store };
}

/** For the notification of the end, which is told with or without it. */
async function titleOf({ environment, conversationId }: TurnContext): Promise<string> {
  return readConversation(environment.database, conversationId).then(
    (row) => row?.title ?? '',
    () => '',
  );
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
