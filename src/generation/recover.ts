import { AppError, toErrorData } from '../core/errors';
import type { Part, StepContent } from '../core/node';
import { nextNodeStatus } from '../core/run-states';
import { closeReasoning } from '../core/stream';
import type { RunRow } from '../storage/db';
import { foldRun, readRun } from '../storage/runs';
import { withoutOpenCalls, withoutProgress } from './calls';
import type { Desk } from './desk';
import { stampOf } from './environment';
import { runEnd } from './run-end';

/**
 * Closes what a killed worker left open: the saved part of its answer becomes an interrupted message, and everybody hears that the run
 * ended. The caller owns the conversation and has no run there; `isDead` is asked about what was found, because the browser may have given
 * the caller's locks away while it slept. False where it is not: then nothing is touched.
 */
export async function closeDeadRun(desk: Desk, conversationId: string, isDead: (row: RunRow) => Promise<boolean>): Promise<boolean> {
  const { environment } = desk;
  const row = await readRun(environment.database, conversationId);
  if (row === undefined) return true;
  if (!(await isDead(row))) return false;
  const error = toErrorData(new AppError('interrupted', { retryable: true }));
  const step: StepContent = {
    step: row.body.step,
    parts: closedParts(row),
    model: row.body.model,
    startedAt: row.body.startedAt,
    endedAt: row.savedAt,
    error,
    ...(row.body.usage === undefined ? {} : { usage: row.body.usage }),
    ...(row.body.firstOutputAt === undefined ? {} : { firstOutputAt: row.body.firstOutputAt }),
    ...(row.body.finishReason === undefined ? {} : { finishReason: row.body.finishReason }),
  };
  const status = nextNodeStatus('running', 'interrupt');
  const { runId, nodeId } = row;
  const isOurs = await foldRun(environment.database, { conversationId, runId, nodeId, status, step }, stampOf(environment));
  if (isOurs) desk.feed.ended(runEnd({ ...row, status }, step, { title: '', endedAt: environment.now() }));
  return isOurs;
}

/**
 * A call that was running may have had its effect: it is never run again. One that had not begun is still to be run when the answer goes on, and with
 * it what the user decided about it; unless it was still being written, when nobody knows what it would have become.
 */
function closedParts({ body, savedAt }: RunRow): readonly Part[] {
  const parts = closeReasoning(body.parts, savedAt);
  if (body.finishReason === undefined) return withoutOpenCalls(parts);
  return parts.map((part) =>
    part.type === 'tool' && part.execution === 'running' ? withoutProgress({ ...part, execution: 'interrupted' }) : part,
  );
}
