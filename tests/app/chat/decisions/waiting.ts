import type { ToolPart } from '../../../../src/core/node';
import type { Question } from '../../../../src/core/tool';
import { updateEntry } from '../../../../src/storage/tree';
import { answerNode, seedConversation, stamp, userNode, type FakeApp } from '../fake-app';
import { openChat } from '../open-chat';

export const ONE: readonly Question[] = [
  {
    id: 'q1',
    prompt: 'Which colour?',
    options: [
      { label: 'Blue', description: 'Like the sky.', isRecommended: true },
      { label: 'Red', isRecommended: false },
      { label: 'Green', isRecommended: false },
    ],
  },
];

export const TWO: readonly Question[] = [
  ...ONE,
  {
    id: 'q2',
    header: 'Size',
    prompt: 'How large?',
    options: [
      { label: 'Small', isRecommended: false },
      { label: 'Medium', isRecommended: false },
      { label: 'Large', isRecommended: false },
    ],
  },
];

export function call(callId: string, change: Partial<ToolPart> = {}): ToolPart {
  return {
    type: 'tool',
    step: 1,
    callId,
    wireId: callId,
    name: 'calculate',
    argumentsText: '{"expression":"6*7"}',
    approval: 'pending',
    execution: 'open',
    ...change,
  };
}

export function question(callId: string, questions: readonly Question[], change: Partial<ToolPart> = {}): ToolPart {
  return call(callId, { name: 'ask_user', questions, ...change });
}

export interface Waiting {
  readonly conversationId: string;
  readonly nodeId: string;
  /** The step as a worker would store it: its calls, and what its node is now. */
  store(parts: readonly ToolPart[], status?: 'awaiting' | 'interrupted' | 'complete'): Promise<void>;
}

/** The chat page at an answer that waits with these calls; the worker's part is played by `store`, which also answers `decide`. */
export async function openWaiting(app: FakeApp, parts: readonly ToolPart[]): Promise<Waiting> {
  const asked = userNode(null, 'Go on');
  const answer = answerNode(asked.id, { parts }, 'awaiting');
  const conversationId = await seedConversation(app.database, [asked, answer]);
  let stored = parts;
  const store: Waiting['store'] = async (next, status) => {
    stored = next;
    const { database } = app;
    await database.content.put({ nodeId: answer.id, step: 1, conversationId, body: { step: 1, parts: next } });
    await keepWaits(app, conversationId, answer.id, next);
    await updateEntry(database, conversationId, answer.id, { status: status ?? (next.some(isWaiting) ? 'awaiting' : 'complete') }, stamp());
  };
  await keepWaits(app, conversationId, answer.id, parts);
  app.engine.handlers.decide = async ({ callId, decision }) => {
    const approval = decision.type === 'approve' ? 'approved' : decision.type === 'deny' ? 'denied' : 'answered';
    await store(stored.map((part) => (part.callId === callId ? { ...part, approval } : part)));
    return null;
  };
  await openChat(app, conversationId);
  return { conversationId, nodeId: answer.id, store };
}

const isWaiting = (part: ToolPart): boolean => part.approval === 'pending' && part.execution === 'open';

async function keepWaits({ database }: FakeApp, conversationId: string, nodeId: string, parts: readonly ToolPart[]): Promise<void> {
  await database.transaction('rw', database.waits, async () => {
    await database.waits.where('nodeId').equals(nodeId).delete();
    await database.waits.bulkPut(
      parts.filter(isWaiting).map(({ callId, questions, deadline }) => ({
        callId,
        conversationId,
        nodeId,
        isQuestion: questions !== undefined,
        ...(deadline === undefined ? {} : { deadline }),
      })),
    );
  });
}
