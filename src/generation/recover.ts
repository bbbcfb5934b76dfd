import { AppError, toErrorData } from '../core/errors';
import type { StepContent } from '../core/node';
import { nextNodeStatus } from '../core/run-states';
import { closeReasoning } from '../core/stream';
import type { RunRow } from '../storage/db';
import { foldRun, readRun } from '../storage/runs';
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
    parts: closeReasoning(row.body.parts, row.savedAt).map((part) =>
      part.type === 'tool' && part.execution !== 'done' && part.execution !== 'failed' ? { ...part, execution: 'interrupted' } : part,
    ),
    model: row.body.model,
    startedAt: row.body.startedAt,
    endedAt: row.savedAt,
    error,
    ...(row.body.usage === undefined ? {} : { usage: row.body.usage }),
    ...(row.body.firstOutputAt === undefined ? {} : { firstOutputAt: row.body.firstOutputAt }),
  };
  const status = nextNodeStatus('running', 'interrupt');
  const { runId, nodeId } = row;
  const isOurs = await foldRun(environment.database, { conversationId, runId, nodeId, status, step }, stampOf(environment));
  if (isOurs) desk.feed.ended(runEnd({ ...row, status }, step, { title: '', endedAt: environment.now() }));
  return isOurs;
}
