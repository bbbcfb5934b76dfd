import { validateDraft } from '../core/capability';
import { estimateMessageTokens } from '../core/context';
import { draftParts, isEmptyDraft, type Draft } from '../core/draft';
import { AppError } from '../core/errors';
import { isPending, type MessageNode, type ModelReference, type StepContent } from '../core/node';
import type { SendResult } from '../core/protocol';
import { nextNodeStatus } from '../core/run-states';
import { localTitle } from '../core/title';
import { ROOT } from '../core/tree';
import { changeConversations } from '../storage/change';
import { readNode } from '../storage/content';
import { createConversation, setConversationControls, setConversationModel, setTitle } from '../storage/conversations';
import { deleteDraft } from '../storage/drafts';
import { saveRun } from '../storage/runs';
import { readSettings } from '../storage/settings';
import { appendNodes, readSelection, readTree, updateEntry, type NewNode } from '../storage/tree';
import type { Desk } from './desk';
import { stampOf } from './environment';
import { freshAnswer, launch, resumedAnswer, type AnswerPlace } from './launch';
import { chooseModel, type ModelChoice } from './model-choice';
import { endWait } from './waits';
import type { Session } from './sessions';

/** The only assistant until the user makes one of their own. */
const DEFAULT_ASSISTANT = 'munin';

export interface SendRequest {
  readonly isNew: boolean;
  readonly messageId: string;
  readonly draft: Draft;
  readonly answer: boolean;
  readonly model: ModelReference | null;
}

/** `messageId` names the message in other words, `answerId` the new answer: the same command once more finds what it made. */
export type EditRequest = Omit<SendRequest, 'isNew'>;
export interface RegenerateRequest {
  readonly answerId: string;
  readonly model: ModelReference | null;
}

/**
 * Takes a message: checks it, ends what ran before, and has message, empty answer and run row on disk in one transaction before anything
 * is asked of a model. Resolves then; the answer goes on by itself. Throws `message-empty`, `image-unsupported`, `model-missing`,
 * `account-missing`, `conversation-missing` and storage codes; nothing is written in that case.
 */
export async function send(desk: Desk, session: Session, request: SendRequest): Promise<SendResult> {
  const { conversationId } = session;
  const { environment } = desk;
  const { database } = environment;
  const known = await readNode(database, conversationId, request.messageId);
  if (known !== undefined) return alreadySent(desk, conversationId, known.id);
  const choice = await choiceFor(desk, request.isNew ? null : conversationId, request);
  await session.stop();
  const stamp = stampOf(environment);
  const parentId = request.isNew ? null : await leafOf(desk, conversationId);
  const controls = request.isNew ? (await readSettings(database)).controls : null;
  const message = userNode(request.messageId, parentId, request.draft, stamp.at);
  const fresh = choice === null ? null : freshAnswer(desk, conversationId, { answerId: environment.newId(), parentId: message.id, choice });
  await changeConversations(database, async () => {
    if (request.isNew) {
      await createConversation(database, { id: conversationId, assistantId: DEFAULT_ASSISTANT }, stamp);
      await setTitle(database, conversationId, localTitle(request.draft), 'local', stamp);
    }
    if (choice !== null) await setConversationModel(database, conversationId, choice.model, stamp);
    if (controls !== null) await setConversationControls(database, conversationId, controls, stamp);
    // Saying something else leaves undecided what waited for a word.
    if (parentId !== null) await endWait(database, conversationId, parentId, stamp);
    await appendNodes(database, conversationId, fresh === null ? [message] : [message, fresh.node], stamp);
    if (fresh !== null) await saveRun(database, fresh.row);
    await deleteDraft(database, request.isNew ? 'new' : conversationId);
  });
  if (fresh !== null) await launch(desk, session, fresh.answer);
  return { conversationId, nodeId: message.id, answerId: fresh?.answer.nodeId ?? null };
}

/** A message that came twice: what the first time made of it. */
async function alreadySent(desk: Desk, conversationId: string, messageId: string): Promise<SendResult> {
  const tree = await readTree(desk.environment.database, conversationId);
  const answer = tree.children(tree.find(messageId)?.ordinal ?? ROOT).at(-1);
  return { conversationId, nodeId: messageId, answerId: answer === undefined ? null : (tree.entries[answer]?.id ?? null) };
}

/** Another answer to the same message, beside the ones that are there. Throws `node-missing` and the codes of `send`. */
export async function regenerate(desk: Desk, session: Session, nodeId: string, request: RegenerateRequest): Promise<SendResult> {
  const { conversationId } = session;
  const { answerId } = request;
  const known = await readNode(desk.environment.database, conversationId, answerId);
  if (known !== undefined) return { conversationId, nodeId, answerId };
  const choice = await chooseModel(desk.environment, conversationId, request.model);
  const node = await needNode(desk, conversationId, nodeId);
  const parentId = node.role === 'assistant' ? node.parentId : node.id;
  if (parentId === null) throw new AppError('node-not-editable');
  await session.stop();
  await appendAndLaunch(desk, session, [], { answerId, parentId, choice });
  return { conversationId, nodeId, answerId };
}

/** The same place with other words: a sibling, never a change of what was said. A user's message is answered when asked for. */
export async function edit(desk: Desk, session: Session, nodeId: string, request: EditRequest): Promise<SendResult> {
  const { conversationId } = session;
  const { environment } = desk;
  const { messageId } = request;
  const known = await readNode(environment.database, conversationId, messageId);
  if (known !== undefined) return alreadySent(desk, conversationId, messageId);
  const node = await needNode(desk, conversationId, nodeId);
  const choice = await choiceFor(desk, conversationId, { ...request, answer: request.answer && node.role === 'user' });
  await session.stop();
  const at = environment.now();
  const message =
    node.role === 'user' ? userNode(messageId, node.parentId, request.draft, at) : editedAnswer(messageId, node, request.draft, at);
  const place = choice === null ? null : { answerId: environment.newId(), parentId: messageId, choice };
  await appendAndLaunch(desk, session, [message], place);
  return { conversationId, nodeId: messageId, answerId: place?.answerId ?? null };
}

/**
 * Goes on in the node where an answer stopped: with calls that were never run, with the next step after those that were, or in the middle of its
 * words; what stands there stays byte for byte. Throws `node-not-editable` for anything else, and `call-not-pending` where the user's word about a call
 * is still missing.
 */
export async function continueAnswer(desk: Desk, session: Session, nodeId: string): Promise<SendResult> {
  const { conversationId } = session;
  await session.stop();
  const node = await needNode(desk, conversationId, nodeId);
  const last = node.steps.at(-1);
  if (node.role !== 'assistant' || last === undefined || node.parentId === null) throw new AppError('node-not-editable');
  if (last.parts.some(isPending)) throw new AppError('call-not-pending');
  const resumed = await resumedAnswer(desk, node, node.parentId);
  await changeConversations(desk.environment.database, async () => {
    const status = nextNodeStatus(node.status, 'continue');
    await updateEntry(desk.environment.database, conversationId, nodeId, { status }, stampOf(desk.environment));
    await saveRun(desk.environment.database, resumed.row);
  });
  await launch(desk, session, resumed.answer);
  return { conversationId, nodeId, answerId: nodeId };
}

/** The model that will answer, or null where none shall; either way the draft must be one that can be sent. */
async function choiceFor(
  desk: Desk,
  conversationId: string | null,
  request: Pick<SendRequest, 'draft' | 'answer' | 'model'>,
): Promise<ModelChoice | null> {
  if (isEmptyDraft(request.draft)) throw new AppError('message-empty');
  if (!request.answer) return null;
  const choice = await chooseModel(desk.environment, conversationId, request.model);
  const refusal = validateDraft(request.draft, choice.capabilities);
  if (refusal !== null) throw new AppError(refusal);
  return choice;
}

/** Writes nodes and, where one is asked for, the empty answer below; then starts it. */
async function appendAndLaunch(desk: Desk, session: Session, nodes: readonly NewNode[], place: AnswerPlace | null): Promise<void> {
  const { database } = desk.environment;
  const { conversationId } = session;
  const stamp = stampOf(desk.environment);
  const fresh = place === null ? null : freshAnswer(desk, conversationId, place);
  await changeConversations(database, async () => {
    await appendNodes(database, conversationId, fresh === null ? nodes : [...nodes, fresh.node], stamp);
    if (fresh !== null) await saveRun(database, fresh.row);
  });
  if (fresh !== null) await launch(desk, session, fresh.answer);
}

function userNode(id: string, parentId: string | null, draft: Draft, at: number): NewNode {
  const steps: readonly StepContent[] = [{ step: 0, parts: draftParts(draft), startedAt: at, endedAt: at }];
  return { id, parentId, role: 'user', status: 'complete', createdAt: at, tokens: estimateMessageTokens(steps), steps };
}

/** An answer in the user's words keeps the model that it came from, and loses its usage: nobody was paid for these words. */
function editedAnswer(id: string, node: MessageNode, draft: Draft, at: number): NewNode {
  const model = node.steps.at(-1)?.model;
  const steps: readonly StepContent[] = [
    { step: 0, parts: draftParts(draft), startedAt: at, endedAt: at, ...(model === undefined ? {} : { model }) },
  ];
  return { id, parentId: node.parentId, role: node.role, status: 'complete', createdAt: at, tokens: estimateMessageTokens(steps), steps };
}

async function needNode(desk: Desk, conversationId: string, nodeId: string): Promise<MessageNode> {
  const node = await readNode(desk.environment.database, conversationId, nodeId);
  if (node === undefined) throw new AppError('node-missing');
  return node;
}

/** The end of the branch that the reader is on. */
async function leafOf(desk: Desk, conversationId: string): Promise<string | null> {
  const { database } = desk.environment;
  const [tree, selection] = await Promise.all([readTree(database, conversationId), readSelection(database, conversationId)]);
  return tree.selectedPath(selection).at(-1)?.id ?? null;
}
