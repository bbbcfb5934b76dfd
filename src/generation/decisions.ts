import { AppError } from '../core/errors';
import { isPending, type MessageNode, type StepContent, type ToolPart } from '../core/node';
import type { CallArgs } from '../core/protocol';
import { nextNodeStatus } from '../core/run-states';
import type { Decision, ToolPolicies } from '../core/tool';
import { changeConversations } from '../storage/change';
import { readNode } from '../storage/content';
import { addToolPolicies } from '../storage/conversations';
import { saveRun, settleNode } from '../storage/runs';
import { readSettings, writeSetting } from '../storage/settings';
import { readWait } from '../storage/waits';
import { withCalls } from './calls';
import { decided, pausedClock, timedOut } from './decided-call';
import type { Desk } from './desk';
import { stampOf } from './environment';
import { launch, resumedAnswer } from './launch';
import type { Session } from './sessions';

/**
 * Takes the user's word about a call that waits: it is on disk before anything follows from it, and final. Once nothing in the answer waits any more it
 * goes on. Throws `call-elsewhere`, `call-not-pending`, `answer-incomplete`, `arguments-invalid`, the codes of `chooseModel` and storage codes; nothing
 * is changed in that case.
 */
export async function decide(desk: Desk, session: Session, call: CallArgs, decision: Decision): Promise<void> {
  const { environment } = desk;
  const { node, step, part } = await waitingCall(desk, session, call);
  const at = environment.now();
  const policies = policiesOf(decision, part);
  const changed = withCalls(step, (other) => {
    if (other.callId === part.callId) return decided(other, decision, at);
    return policies !== null && isPending(other) && other.questions === undefined && other.name === part.name
      ? decided(other, alike(decision), at)
      : other;
  });
  await keep(desk, session, node, changed, decision.type === 'approve' && decision.scope === 'conversation' ? policies : null);
  const isForGood = policies !== null && decision.type !== 'answer' && decision.scope === 'always';
  if (!isForGood) return;
  const { toolPolicies } = await readSettings(environment.database);
  await writeSetting(environment.database, 'toolPolicies', { ...toolPolicies, ...policies }, stampOf(environment));
}

/**
 * Gives a question whose time ran out the answers that it recommends, else the first ones. Throws `call-not-pending` where its time has not come or its
 * clock stands still, and the codes of `decide`.
 */
export async function expireQuestion(desk: Desk, session: Session, call: CallArgs): Promise<void> {
  const { node, step, part } = await waitingCall(desk, session, call);
  const at = desk.environment.now();
  if (part.deadline?.type !== 'at' || part.deadline.at > at) throw new AppError('call-not-pending');
  await keep(
    desk,
    session,
    node,
    withCalls(step, (other) => (other.callId === part.callId ? timedOut(other, at) : other)),
    null,
  );
}

/** Stops or starts the clock of a question, or takes it away. Throws `call-elsewhere`, `call-not-pending` and storage codes. */
export async function setQuestionClock(desk: Desk, session: Session, call: CallArgs, action: 'pause' | 'resume' | 'off'): Promise<void> {
  const { environment } = desk;
  const { node, step, part } = await waitingCall(desk, session, call);
  const changed = withCalls(step, (other) => (other.callId === part.callId ? pausedClock(other, action, environment.now()) : other));
  const { conversationId, id: nodeId, status } = node;
  await changeConversations(environment.database, async () =>
    settleNode(environment.database, { conversationId, nodeId, status, steps: [changed] }, stampOf(environment)),
  );
}

interface WaitingCall {
  readonly node: MessageNode;
  /** The last step, in which it stands. */
  readonly step: StepContent;
  readonly part: ToolPart;
}

async function waitingCall({ environment }: Desk, { conversationId }: Session, { nodeId, callId }: CallArgs): Promise<WaitingCall> {
  const { database } = environment;
  const wait = await readWait(database, callId);
  if (wait !== undefined && wait.conversationId !== conversationId) throw new AppError('call-elsewhere');
  const node = await readNode(database, conversationId, nodeId);
  const step = node?.steps.at(-1);
  const part = step?.parts.filter(isPending).find((pending) => pending.callId === callId);
  if (node?.status !== 'awaiting' || step === undefined || part === undefined) throw new AppError('call-not-pending');
  return { node, step, part };
}

/** Stores a step in which something was decided, and goes on with the answer where nothing waits any more: both are one change on disk. */
async function keep(desk: Desk, session: Session, node: MessageNode, step: StepContent, policies: ToolPolicies | null): Promise<void> {
  const { environment } = desk;
  const { database } = environment;
  const { conversationId, id: nodeId } = node;
  const stamp = stampOf(environment);
  const isDone = !step.parts.some(isPending);
  const steps = [...node.steps.slice(0, -1), step];
  // Another branch may be answered right now: then this one goes on when the user says so.
  const isFree = session.running === undefined && node.parentId !== null;
  const resumed = isDone && isFree && node.parentId !== null ? await resumedAnswer(desk, { ...node, steps }, node.parentId) : null;
  const status = !isDone ? node.status : nextNodeStatus(node.status, resumed === null ? 'interrupt' : 'continue');
  await changeConversations(database, async () => {
    await settleNode(database, { conversationId, nodeId, status, steps: [step] }, stamp);
    if (policies !== null) await addToolPolicies(database, conversationId, policies, stamp);
    if (resumed !== null) await saveRun(database, resumed.row);
  });
  if (resumed !== null) await launch(desk, session, resumed.answer);
}

/** What a decision says about later calls of the same tool; null where it is about this one alone. */
function policiesOf(decision: Decision, { name }: ToolPart): ToolPolicies | null {
  if (decision.type === 'answer' || decision.scope === 'once') return null;
  return { [`tool:${name}`]: decision.type === 'approve' ? 'allow' : 'deny' };
}

/** The same word for another call: the user's changes belong to the one they were made for. */
function alike(decision: Decision): Decision {
  return decision.type === 'approve' ? { type: 'approve', scope: decision.scope } : decision;
}
