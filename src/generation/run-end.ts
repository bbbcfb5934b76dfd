import type { NodeStatus, StepContent } from '../core/node';
import { textOf } from '../core/node';
import type { RunEnd } from '../core/run';
import { readNode } from '../storage/content';
import type { Environment } from './environment';

const EXCERPT_CHARACTERS = 50;

interface EndedRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
}

/** What tabs hear of the end of a run whose last step is `step`. */
export function runEnd(
  run: EndedRun & { readonly status: NodeStatus },
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

/** The end of a run that somebody else stored, as its node tells it. Throws storage codes. */
export async function storedEnd(environment: Environment, run: EndedRun): Promise<RunEnd> {
  const node = await readNode(environment.database, run.conversationId, run.nodeId);
  // Another run may go on in that node by now.
  const status = node?.status === 'running' ? 'interrupted' : (node?.status ?? 'deleted');
  return runEnd({ ...run, status }, node?.steps.at(-1), { title: '', endedAt: environment.now() });
}
