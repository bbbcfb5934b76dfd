import { estimateMessageTokens } from '../core/context';
import type { MessageNode, Part } from '../core/node';
import { TEXT_PROFILE } from '../core/profile';
import type { RunEnd } from '../core/run';
import { readPath } from '../storage/content';
import type { RunRow } from '../storage/db';
import type { NewNode } from '../storage/tree';
import type { Desk } from './desk';
import type { Environment } from './environment';
import type { ModelChoice } from './model-choice';
import { closeDeadRun } from './recover';
import type { Session } from './sessions';
import { startTurn } from './turn';
import type { TurnContext } from './turn-context';

/** An answer that has its place on disk (node and run row) and waits for its model. */
export interface Answer {
  readonly runId: string;
  readonly nodeId: string;
  /** The last node that the model reads: the message that is answered, or the node itself when it goes on. */
  readonly pathTo: string;
  readonly choice: ModelChoice;
  /** Parts that the answer goes on from; empty for a fresh one. */
  readonly continued: readonly Part[];
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
  const answer: Answer = { runId: environment.newId(), nodeId: answerId, pathTo: parentId, choice, continued: [] };
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

/** The time of day as it is now, going on by what has passed since. */
function clockOf(environment: Environment): () => number {
  const startedAt = environment.now();
  const beganMs = environment.elapsed();
  return () => startedAt + Math.round(environment.elapsed() - beganMs);
}

/** The branch that the model reads. Where it can't be read the answer must not be left running with nobody who writes it. */
async function readBranchOf(desk: Desk, conversationId: string, { pathTo, runId }: Answer): Promise<readonly MessageNode[]> {
  try {
    return await readPath(desk.environment.database, conversationId, pathTo);
  } catch (error) {
    await closeDeadRun(desk, conversationId, async (row) => row.runId === runId);
    throw error;
  }
}

/** Starts the model over an answer that is on disk. Resolves once tabs know of the run; the run keeps the session until it ended. */
export async function launch(desk: Desk, session: Session, answer: Answer): Promise<void> {
  const { conversationId } = session;
  session.expectIdle();
  const path = await readBranchOf(desk, conversationId, answer);
  const held = await desk.sessions.acquire(conversationId);
  const controller = new AbortController();
  const context: TurnContext = {
    environment: desk.environment,
    conversationId,
    runId: answer.runId,
    nodeId: answer.nodeId,
    path,
    model: answer.choice.model,
    account: answer.choice.account,
    provider: answer.choice.provider,
    capabilities: answer.choice.capabilities,
    profile: TEXT_PROFILE,
    continued: answer.continued,
    now: clockOf(desk.environment),
    signal: controller.signal,
  };
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
