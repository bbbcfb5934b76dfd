import type { Clock } from './clock';
import type { ErrorData } from './errors';
import type { LocalWait } from './local-model';
import type { ModelReference, NodeStatus, Part, Usage } from './node';

/** What tabs see of a run. How one follows from another: `run-states.ts`. */
export const RUN_PHASES = ['preparing', 'requesting', 'waiting', 'streaming', 'working', 'finishing'] as const;
export type RunPhase = (typeof RUN_PHASES)[number];

/** Everything a tab needs to draw a running answer from nothing. */
export interface RunSnapshot {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
  /** Grows by one with every publish; a gap means: ask for a snapshot. */
  readonly revision: number;
  readonly phase: RunPhase;
  readonly step: number;
  /** Parts of the running step in their visible form. */
  readonly parts: readonly Part[];
  readonly model: ModelReference;
  /** Epoch ms at which the step began. */
  readonly startedAt: number;
  readonly usage?: Usage;
  readonly retry?: RetryNotice;
  /** Why a model on this device has not begun to answer. */
  readonly wait?: LocalWait;
}

/** Why nothing arrives right now and when it goes on. */
export interface RetryNotice {
  readonly attempt: number;
  /** Epoch ms of the next try. */
  readonly resumesAt: number;
  readonly error: ErrorData;
}

export type PartChange =
  /** Text added to the end of part `index`. */
  | { readonly type: 'append'; readonly index: number; readonly text: string }
  /** Part `index` as a whole; an index equal to the length adds one. */
  | { readonly type: 'put'; readonly index: number; readonly part: Part }
  /** Only the first `length` parts stay. */
  | { readonly type: 'truncate'; readonly length: number };

export interface RunDelta {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
  readonly revision: number;
  readonly phase: RunPhase;
  readonly step: number;
  /** Epoch ms at which the step began. */
  readonly startedAt: number;
  readonly changes: readonly PartChange[];
  readonly usage?: Usage;
  readonly retry?: RetryNotice;
  /** Why a model on this device has not begun to answer. */
  readonly wait?: LocalWait;
}

export interface RunEnd {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
  readonly status: NodeStatus;
  readonly error?: ErrorData;
  readonly title: string;
  /** The first characters of the answer, for a notification. */
  readonly excerpt: string;
  readonly endedAt: Clock['time'];
}

/** The smallest changes that turn `before` into `after`; text that only grew becomes an append. */
export function diffParts(before: readonly Part[], after: readonly Part[]): readonly PartChange[] {
  const changes: PartChange[] = [];
  if (after.length < before.length) changes.push({ type: 'truncate', length: after.length });
  after.forEach((part, index) => {
    const old = before[index];
    if (old === part) return;
    const grown = old === undefined ? undefined : grownText(old, part);
    if (grown === undefined) changes.push({ type: 'put', index, part });
    else if (grown !== '') changes.push({ type: 'append', index, text: grown });
  });
  return changes;
}

/** `parts` after `changes`; unchanged parts keep their identity. */
export function applyChanges(parts: readonly Part[], changes: readonly PartChange[]): readonly Part[] {
  let next = [...parts];
  for (const change of changes) {
    if (change.type === 'truncate') next = next.slice(0, change.length);
    else if (change.type === 'put') next[change.index] = change.part;
    else {
      const part = next[change.index];
      if (part !== undefined && 'text' in part) next[change.index] = { ...part, text: part.text + change.text };
    }
  }
  return next;
}

/** The text that `after` has more than `before` when nothing else differs; undefined when something does. */
function grownText(before: Part, after: Part): string | undefined {
  if (!('text' in before) || !('text' in after) || !after.text.startsWith(before.text)) return undefined;
  const { text: _before, ...restBefore } = before;
  const { text: _after, ...restAfter } = after;
  return JSON.stringify(restBefore) === JSON.stringify(restAfter) ? after.text.slice(before.text.length) : undefined;
}
