import { estimateMessageTokens } from '../core/context';
import { AppError } from '../core/errors';
import { isPending, type NodeStatus, type StepContent, type ToolPart } from '../core/node';
import { changeEntry, locateEntry } from './blocks';
import { referencesOf, replaceReferences } from './blob-references';
import { changeConversations } from './change';
import { readSteps } from './content';
import type { JackdawDatabase, RunRow, WaitRow } from './db';
import { stored } from './open';
import { nodeChange, noteChanges } from './outbox-rows';
import type { Stamp } from './stamp';

export interface FoldedRun {
  readonly conversationId: string;
  /** With it, nothing is written unless the row of this very run is there: another tab may have taken the conversation over. */
  readonly runId?: string;
  readonly nodeId: string;
  readonly status: NodeStatus;
  /** The last step. */
  readonly step: StepContent;
  /** Steps before it that are not stored yet. */
  readonly unsaved?: readonly StepContent[];
}

/** Begins a running answer; one a conversation. Throws `owner-silent` where the row of another one is there: somebody else runs there. */
export function saveRun(database: JackdawDatabase, row: RunRow): Promise<void> {
  return stored(database, () =>
    database.transaction('rw', database.runs, async () => {
      const present = await database.runs.get(row.conversationId);
      if (present !== undefined && present.runId !== row.runId) throw new AppError('owner-silent', { retryable: true });
      await database.runs.put(row);
    }),
  );
}

/** Saves what a running answer has become. False, and nothing is written, where it was closed or another one has begun. */
export function updateRun(database: JackdawDatabase, row: RunRow): Promise<boolean> {
  return stored(database, () =>
    database.transaction('rw', database.runs, async () => {
      if ((await database.runs.get(row.conversationId))?.runId !== row.runId) return false;
      await database.runs.put(row);
      return true;
    }),
  );
}

/** Every running answer that is on disk, those of dead workers among them. */
export function readRuns(database: JackdawDatabase): Promise<RunRow[]> {
  return stored(database, () => database.runs.toArray());
}

/** The running answer of a conversation as it was last saved. */
export function readRun(database: JackdawDatabase, conversationId: string): Promise<RunRow | undefined> {
  return stored(database, () => database.runs.get(conversationId));
}

/**
 * Stores steps that a running answer has finished and saves where it is now, in one transaction. The node stays running, and its revision as it
 * is: pages have these steps from the run itself. False, and nothing is written, where it was closed or another one has begun.
 */
export function advanceRun(database: JackdawDatabase, row: RunRow, finished: readonly StepContent[], stamp: Stamp): Promise<boolean> {
  const { conversationId, runId, nodeId } = row;
  return changeConversations(database, async () => {
    if ((await database.runs.get(conversationId))?.runId !== runId) return false;
    await database.runs.put(row);
    await putSteps(database, { conversationId, nodeId }, finished);
    await noteChanges(database, [nodeChange(nodeId, conversationId, 'put')], stamp.at);
    return true;
  });
}

/**
 * Makes a run's steps the node's content, sets the node's status and token estimate, and removes the run, in one transaction.
 * Where the node was deleted or its conversation purged meanwhile, only the run is removed: there is no place left for the words.
 * False where `runId` forbids it.
 */
export function foldRun(database: JackdawDatabase, run: FoldedRun, stamp: Stamp): Promise<boolean> {
  const { conversationId, runId, nodeId, step, unsaved = [] } = run;
  return changeConversations(database, async () => {
    if (runId !== undefined && (await database.runs.get(conversationId))?.runId !== runId) return false;
    await database.runs.delete(conversationId);
    await settleNode(database, { conversationId, nodeId, status: run.status, steps: [...unsaved, step] }, stamp);
    return true;
  });
}

export interface SettledNode {
  readonly conversationId: string;
  readonly nodeId: string;
  readonly status: NodeStatus;
  /** The steps that are new or changed, in order. */
  readonly steps: readonly StepContent[];
}

/**
 * Writes steps of a node at rest with its status, its token estimate, its references and the calls in it that wait for the user. Nothing happens
 * where it was deleted. Runs in the caller's transaction over conversations.
 */
export async function settleNode(
  database: JackdawDatabase,
  { conversationId, nodeId, status, steps }: SettledNode,
  stamp: Stamp,
): Promise<void> {
  const located = await locateEntry(database, conversationId, nodeId);
  if (located === undefined || located.entry.status === 'deleted') return;
  const all = await putSteps(database, { conversationId, nodeId }, steps);
  await changeEntry(database, located, { status, tokens: estimateMessageTokens(all) });
  await database.waits.where('nodeId').equals(nodeId).delete();
  if (status === 'awaiting')
    await database.waits.bulkPut(all.flatMap(({ parts }) => parts.filter(isPending)).map(waitOf({ conversationId, nodeId })));
  const conversation = await database.conversations.get(conversationId);
  const updatedAt = Math.max(conversation?.updatedAt ?? 0, stamp.at);
  await database.conversations.update(conversationId, { updatedAt });
  await noteChanges(database, [nodeChange(nodeId, conversationId, 'put')], stamp.at);
}

interface NodePlace {
  readonly conversationId: string;
  readonly nodeId: string;
}

/** Every step of the node after these were written. */
async function putSteps(
  database: JackdawDatabase,
  { conversationId, nodeId }: NodePlace,
  steps: readonly StepContent[],
): Promise<StepContent[]> {
  await database.content.bulkPut(steps.map((body) => ({ nodeId, step: body.step, conversationId, body })));
  const all = await readSteps(database, nodeId);
  await replaceReferences(database, nodeId, referencesOf(nodeId, conversationId, all));
  return all;
}

function waitOf(place: NodePlace): (call: ToolPart) => WaitRow {
  return ({ callId, deadline, questions }) => ({
    ...place,
    callId,
    isQuestion: questions !== undefined,
    ...(deadline === undefined ? {} : { deadline }),
  });
}

/** Forgets the running answer of a conversation; what it said is gone. */
export function discardRun(database: JackdawDatabase, conversationId: string): Promise<void> {
  return stored(database, () => database.runs.delete(conversationId));
}
