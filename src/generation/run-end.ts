import type { NodeStatus, StepContent } from '../core/node';
import { textOf } from '../core/node';
import type { RunEnd } from '../core/run';

const EXCERPT_CHARACTERS = 50;

/** What tabs hear of the end of a run whose last step is `step`. */
export function runEnd(
  run: { readonly runId: string; readonly conversationId: string; readonly nodeId: string; readonly status: NodeStatus },
  step: StepContent | undefined,
  { title, endedAt }: { readonly title: string; readonly endedAt: number },
): RunEnd {
  return {
    runId: run.runId,
    conversationId: run.conversationId,
    nodeId: run.nodeId,
    status: run.status,
    ...(step?.error === undefined ? {} : { error: step.error }),
    title,
    excerpt: [...textOf(step?.parts ?? [])].slice(0, EXCERPT_CHARACTERS).join(''),
    endedAt,
  };
}
