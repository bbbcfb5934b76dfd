import { AppError } from '../core/errors';
import type { CallArgs } from '../core/protocol';
import type { Environment } from '../generation/environment';
import type { WaitRow } from '../storage/db';
import { followWaits } from '../storage/waits';

interface Clock {
  readonly at: number;
  readonly cancel: () => void;
}

/**
 * Follows the questions that wait in any conversation, and answers those whose time runs out while this tab is open. Every tab does: the first one is
 * heard, and to the others it is decided already. One whose time was over when it was first seen is left to the user: nothing is asked of a model because
 * an app was opened. The stored deadline alone counts, whatever a sleeping tab's timers or a clock that was set may say.
 */
export function followQuestions(
  environment: Environment,
  expire: (call: CallArgs) => Promise<unknown>,
  failed: (error: unknown) => void,
): () => void {
  const clocks = new Map<string, Clock>();

  function arm(row: WaitRow, at: number): void {
    const { callId, nodeId, conversationId } = row;
    const cancel = environment.schedule(Math.max(0, at - environment.now()), () => {
      // The clock was set back meanwhile.
      if (environment.now() < at) {
        arm(row, at);
        return;
      }
      clocks.delete(callId);
      expire({ callId, nodeId, conversationId }).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'call-not-pending')) failed(error);
      });
    });
    clocks.set(callId, { at, cancel });
  }

  function follow(rows: readonly WaitRow[]): void {
    const deadlines = new Map(rows.flatMap((row) => (row.deadline?.type === 'at' ? [[row.callId, row.deadline.at] as const] : [])));
    for (const [callId, { at, cancel }] of clocks) {
      if (deadlines.get(callId) === at) continue;
      cancel();
      clocks.delete(callId);
    }
    for (const row of rows) {
      const at = deadlines.get(row.callId);
      if (at !== undefined && at > environment.now() && !clocks.has(row.callId)) arm(row, at);
    }
  }

  const unfollow = followWaits(environment.database, follow, failed);
  return () => {
    unfollow();
    for (const { cancel } of clocks.values()) cancel();
  };
}
