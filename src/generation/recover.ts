import type { StepContent } from '../core/node';
import { closeReasoning } from '../core/stream';
import type { RunRow } from '../storage/db';
import { foldRun, readRun } from '../storage/runs';
import { stampOf, type Environment } from './environment';

/**
 * Closes what a killed worker left open: the saved part of its answer becomes an interrupted message. The caller owns the conversation.
 * Returns the row that was closed, or undefined when there was none.
 */
export async function recoverRun(environment: Environment, conversationId: string): Promise<RunRow | undefined> {
  const row = await readRun(environment.database, conversationId);
  if (row === undefined) return undefined;
  const step: StepContent = {
    step: row.body.step,
    parts: closeReasoning(row.body.parts, row.savedAt).map((part) =>
      part.type === 'tool' && part.execution !== 'done' && part.execution !== 'failed' ? { ...part, execution: 'interrupted' } : part,
    ),
    model: row.body.model,
    startedAt: row.body.startedAt,
    endedAt: row.savedAt,
    error: { code: 'interrupted', retryable: true, details: {} },
    ...(row.body.usage === undefined ? {} : { usage: row.body.usage }),
    ...(row.body.firstOutputAt === undefined ? {} : { firstOutputAt: row.body.firstOutputAt }),
  };
  await foldRun(environment.database, { conversationId, nodeId: row.nodeId, status: 'interrupted', step }, stampOf(environment));
  return row;
}
