import { closeDeadRun } from '../generation/recover';
import { runLock, type Locks } from '../generation/sessions';
import { readRuns } from '../storage/runs';
import type { WorkerContext } from './context';

/** A lock that nobody can be found for is about to change hands. */
const CHANGE_MS = 50;

/**
 * Closes every answer whose worker died. Where somebody owns the conversation it is the owner's affair, and done again when that owner dies.
 * May be called at any time, by every tab at once.
 */
export async function recoverAll(context: WorkerContext, locks: Locks): Promise<void> {
  const rows = await readRuns(context.environment.database);
  await Promise.all(rows.map((row) => recover(context, locks, row.conversationId)));
}

/** Never waits in the lock's queue: a tab that the browser froze there would be handed the lock, and hold up the ones that are awake. */
async function recover(context: WorkerContext, locks: Locks, conversationId: string): Promise<void> {
  const never = new AbortController().signal;
  // The next command there closes it before it does anything else.
  while (context.sessions.find(conversationId) === undefined) {
    const release = await locks.tryAcquire(runLock(conversationId));
    if (release !== null) {
      try {
        await closeLeftOpen(context, conversationId);
        return;
      } finally {
        release();
      }
    }
    // Asking for its owner makes it a neighbour, and a neighbour's death is heard of.
    if ((await context.neighbours.owner(runLock(conversationId))) !== null) return;
    await context.environment.sleep(CHANGE_MS, never);
  }
}

/** Closes what a dead worker left open in a conversation that this one owns. False where it is another's by now. */
export function closeLeftOpen(context: WorkerContext, conversationId: string): Promise<boolean> {
  return closeDeadRun(context, conversationId, async () => (await context.neighbours.owner(runLock(conversationId))) === null);
}
