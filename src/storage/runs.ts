import { estimateMessageTokens } from '../core/context';
import { AppError } from '../core/errors';
import type { NodeStatus, StepContent } from '../core/node';
import { changeEntry, locateEntry } from './blocks';
import { referencesOf, replaceReferences } from './blob-references';
import { changeConversations } from './change';
import { readSteps } from './content';
import type { JackdawDatabase, RunRow } from './db';
import { stored } from './open';
import { nodeChange, noteChanges } from './outbox-rows';
import type { Stamp } from './stamp';

export interface FoldedRun {
  readonly conversationId: string;
  /** With it, nothing is written unless the row of this very run is there: another tab may have taken the conversation over. */
  readonly runId?: string;
  readonly nodeId: string;
  readonly status: NodeStatus;
  readonly step: StepContent;
  /** The node's other steps where the caller has them; read from the database otherwise. */
  readonly previousSteps?: readonly StepContent[];
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
 * Makes a run's step the node's content, sets the node's status and token estimate, and removes the run, in one transaction.
 * Where the node was deleted or its conversation purged meanwhile, only the run is removed: there is no place left for the words.
 * False where `runId` forbids it.
 */
export function foldRun(database: JackdawDatabase, run: FoldedRun, stamp: Stamp): Promise<boolean> {
  const { conversationId, runId, nodeId, step } = run;
  return changeConversations(database, async () => {
    if (runId !== undefined && (await database.runs.get(conversationId))?.runId !== runId) return false;
    await database.runs.delete(conversationId);
    const located = await locateEntry(database, conversationId, nodeId);
    if (located === undefined || located.entry.status === 'deleted') return true;
    const previous = run.previousSteps ?? (await readSteps(database, nodeId));
    const steps = [...previous.filter((other) => other.step !== step.step), step];
    await database.content.put({ nodeId, step: step.step, conversationId, body: step });
    await replaceReferences(database, nodeId, referencesOf(nodeId, conversationId, steps));
    await changeEntry(database, located, { status: run.status, tokens: estimateMessageTokens(steps) });
    const conversation = await database.conversations.get(conversationId);
    const updatedAt = Math.max(conversation?.updatedAt ?? 0, stamp.at);
    await database.conversations.update(conversationId, { updatedAt });
    await noteChanges(database, [nodeChange(nodeId, conversationId, 'put')], stamp.at);
    return true;
  });
}

/** Forgets the running answer of a conversation; what it said is gone. */
export function discardRun(database: JackdawDatabase, conversationId: string): Promise<void> {
  return stored(database, () => database.runs.delete(conversationId));
}
