import { estimateMessageTokens } from '../core/context';
import type { MessageNode, StepContent } from '../core/node';
import type { RunEnd } from '../core/run';
import type { RunRow } from '../storage/db';
import type { NewNode } from '../storage/tree';
import type { Desk } from './desk';
import { chooseModel, type ModelChoice } from './model-choice';
import { positionOf } from './position';
import { closeDeadRun } from './recover';
import type { Session } from './sessions';
import { turnContext } from './prepare';
import { startTurn } from './turn';
import type { TurnContext } from './turn-context';

/** An answer that has its place on disk (node and run row) and waits for its model. */
export interface Answer {
  readonly runId: string;
  readonly nodeId: string;
  /** The message that is answered. */
  readonly pathTo: string;
  readonly choice: ModelChoice;
  /** What the answer says already; empty for a fresh one. */
  readonly steps: readonly StepContent[];
}

/** Where a fresh answer comes to stand, under which name, and who gives it. */
export interface AnswerPlace {
  readonly answerId: string;
  readonly parentId: string;
  readonly choice: ModelChoice;
}

/** A fresh, empty answer, with the rows that have to be written before it is launched. */
export function freshAnswer(
  desk: Desk,
  conversationId: string,
  { answerId, parentId, choice }: AnswerPlace,
): { answer: Answer; node: NewNode; row: RunRow } {
  const { environment } = desk;
  const answer: Answer = { runId: environment.newId(), nodeId: answerId, pathTo: parentId, choice, steps: [] };
  const at = environment.now();
  const steps = [{ step: 0, parts: [], model: choice.model, startedAt: at }];
  const node: NewNode = {
    id: answer.nodeId,
    parentId,
    role: 'assistant',
    status: 'running',
    createdAt: at,
    tokens: estimateMessageTokens(steps),
    steps,
  };
  const body = { step: 0, parts: [], model: choice.model, startedAt: at };
  return { answer, node, row: { conversationId, runId: answer.runId, nodeId: answer.nodeId, savedAt: at, body } };
}

/**
 * An answer that goes on, with the row that has to be written before it is launched. Its model is the one that gave it. Throws the codes of
 * `chooseModel`.
 */
export async function resumedAnswer(desk: Desk, node: MessageNode, pathTo: string): Promise<{ answer: Answer; row: RunRow }> {
  const { environment } = desk;
  const { id: nodeId, conversationId, steps } = node;
  const choice = await chooseModel(environment, conversationId, steps.at(-1)?.model ?? null);
  const position = positionOf(steps);
  const answer: Answer = { runId: environment.newId(), nodeId, pathTo, choice, steps };
  const startedAt = environment.now();
  const step = position.type === 'calls' ? position.step : position.before;
  const body = {
    step: position.type === 'calls' ? position.step.step : position.step,
    parts: step?.parts ?? [],
    model: choice.model,
    startedAt,
    ...(step?.usage === undefined ? {} : { usage: step.usage }),
    ...(position.type === 'calls' && position.step.finishReason !== undefined ? { finishReason: position.step.finishReason } : {}),
  };
  return { answer, row: { conversationId, runId: answer.runId, nodeId, savedAt: startedAt, body } };
}

// A user who frees some space should not have to wait for it to be noticed.
const SETTLE_MS = 5000;

/** Tries to store what is owed until that works; the session is kept meanwhile. */
function settleLater(desk: Desk, session: Session, release: () => void): void {
  desk.environment.schedule(SETTLE_MS, () => {
    session.settle().then(release, () => {
      settleLater(desk, session, release);
    });
  });
}

/** Everything that a turn reads before it begins. Where it can't be read the answer must not be left running with nobody who writes it. */
async function readContext(desk: Desk, conversationId: string, answer: Answer, signal: AbortSignal): Promise<TurnContext> {
  try {
    return await turnContext(desk, conversationId, answer, signal);
  } catch (error) {
    await closeDeadRun(desk, conversationId, async (row) => row.runId === answer.runId);
    throw error;
  }
}

/** Starts the model over an answer that is on disk. Resolves once tabs know of the run; the run keeps the session until it ended. */
export async function launch(desk: Desk, session: Session, answer: Answer): Promise<void> {
  const { conversationId } = session;
  session.expectIdle();
  const controller = new AbortController();
  const context = await readContext(desk, conversationId, answer, controller.signal);
  const held = await desk.sessions.acquire(conversationId);
  const turn = startTurn(context, {
    started: (snapshot) => {
      desk.feed.started(snapshot);
    },
    delta: (delta) => {
      desk.feed.delta(delta);
    },
    notice: (error) => {
      desk.feed.notice(error, conversationId);
    },
    lost: () => {
      desk.sessions.forget(session);
      controller.abort();
    },
  });
  const ended = turn.done.then(({ end, store }): RunEnd => {
    desk.feed.ended(end);
    if (store === null) held?.release();
    else {
      session.owe(store);
      settleLater(desk, session, () => held?.release());
    }
    return end;
  });
  session.attach(turn, controller, ended);
}
