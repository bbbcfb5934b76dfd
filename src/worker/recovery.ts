import { closeDeadRun } from '../generation/recover';
import { runLock, type Locks } from '../generation/sessions';
import { readRuns } from '../storage/runs';
import type { WorkerContext } from './context';

/**
 * Closes every answer whose worker died. Waits for each conversation's lock: while its owner lives that is until the run ended, and then
 * there is nothing left to do. So it may be called at any time, by every tab at once.
 */
export async function recoverAll(context: WorkerContext, locks: Locks): Promise<void> {
  const rows = await readRuns(context.environment.database);
  await Promise.all(rows.map((row) => recoverWhenFree(context, locks, row.conversationId)));
}

async function recoverWhenFree(context: WorkerContext, locks: Locks, conversationId: string): Promise<void> {
  // The next command there closes it before it does anything else.
  if (context.sessions.find(conversationId) !== undefined) return;
  const release = await locks.acquire(runLock(conversationId));
  try {
    await closeDeadRun(context, conversationId);
  } finally {
    release();
  }
}
