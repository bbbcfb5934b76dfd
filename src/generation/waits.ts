import { nextNodeStatus } from '../core/run-states';
import { locateEntry } from '../storage/blocks';
import { changeConversations } from '../storage/change';
import { readSteps } from '../storage/content';
import type { JackdawDatabase } from '../storage/db';
import { settleNode } from '../storage/runs';
import type { Stamp } from '../storage/stamp';
import { readSelection, readTree } from '../storage/tree';
import { withoutOpenCalls } from './calls';
import type { Desk } from './desk';
import { stampOf } from './environment';

/**
 * Ends the wait of a node without the user's word: its undecided calls will never run, what was decided stays as it was said. Nothing happens where it
 * does not wait. Runs in the caller's transaction over conversations.
 */
export async function endWait(database: JackdawDatabase, conversationId: string, nodeId: string, stamp: Stamp): Promise<void> {
  const status = (await locateEntry(database, conversationId, nodeId))?.entry.status;
  if (status !== 'awaiting') return;
  const last = (await readSteps(database, nodeId)).at(-1);
  if (last === undefined) return;
  const step = { ...last, parts: withoutOpenCalls(last.parts) };
  await settleNode(database, { conversationId, nodeId, status: nextNodeStatus(status, 'interrupt'), steps: [step] }, stamp);
}

/** Ends the wait at the end of the branch that the reader is on, where there is one. Throws storage codes. */
export async function endShownWait({ environment }: Desk, conversationId: string): Promise<void> {
  const { database } = environment;
  const [tree, selection] = await Promise.all([readTree(database, conversationId), readSelection(database, conversationId)]);
  const leaf = tree.selectedPath(selection).at(-1);
  if (leaf?.status !== 'awaiting') return;
  await changeConversations(database, async () => endWait(database, conversationId, leaf.id, stampOf(environment)));
}
