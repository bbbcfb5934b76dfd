import type { LocalWait } from '../../core/local-model';
import type { ModelReference, MessageNode, Part, Usage } from '../../core/node';
import { applyChanges, type RetryNotice, type RunDelta, type RunPhase, type RunSnapshot } from '../../core/run';

export interface LiveStep {
  readonly step: number;
  readonly parts: readonly Part[];
}

/** A running answer as this page knows it: what lies over the stored node until the stored node is the newer one. */
export interface LiveRun {
  readonly runId: string;
  readonly nodeId: string;
  readonly revision: number;
  readonly phase: RunPhase;
  readonly step: number;
  readonly parts: readonly Part[];
  /** Steps that ended in this run and may not be stored yet. */
  readonly earlier: readonly LiveStep[];
  readonly model: ModelReference;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly usage: Usage | null;
  readonly retry: RetryNotice | null;
  readonly wait: LocalWait | null;
  /** The run is over, the stored node has not arrived. */
  readonly ended: boolean;
  /** Revision that a finished stored node had when the run began: that one does not end the overlay. */
  readonly staleRevision: number | null;
}

/** What is known of a node without reading its content. */
type StoredState = Pick<MessageNode, 'id' | 'status' | 'revision'>;

/** The overlay from nothing. `stored` is the node as it is known now, if it is. */
export function startLiveRun(snapshot: RunSnapshot, stored: StoredState | undefined): LiveRun {
  return {
    runId: snapshot.runId,
    nodeId: snapshot.nodeId,
    revision: snapshot.revision,
    phase: snapshot.phase,
    step: snapshot.step,
    parts: snapshot.parts,
    earlier: [],
    model: snapshot.model,
    startedAt: snapshot.startedAt,
    usage: snapshot.usage ?? null,
    retry: snapshot.retry ?? null,
    wait: snapshot.wait ?? null,
    ended: false,
    staleRevision: stored === undefined || stored.status === 'running' ? null : stored.revision,
  };
}

/** The overlay after a delta; the same one for a delta it already holds; `gap` where one is missing in between. */
export function applyDelta(live: LiveRun | null, delta: RunDelta): LiveRun | 'gap' {
  if (live === null || live.runId !== delta.runId) return 'gap';
  if (delta.revision <= live.revision) return live;
  if (delta.revision !== live.revision + 1) return 'gap';
  const nextStep = delta.step !== live.step;
  return {
    ...live,
    revision: delta.revision,
    phase: delta.phase,
    step: delta.step,
    startedAt: delta.startedAt,
    parts: applyChanges(nextStep ? [] : live.parts, delta.changes),
    earlier: nextStep ? [...live.earlier, { step: live.step, parts: live.parts }] : live.earlier,
    usage: delta.usage ?? (nextStep ? null : live.usage),
    retry: delta.retry ?? null,
    wait: delta.wait ?? null,
  };
}

/** Whether the stored branch says everything that the overlay says, so that dropping it changes nothing on the page. */
export function isSettled(live: LiveRun, branch: readonly StoredState[]): boolean {
  if (!live.ended) return false;
  const stored = branch.findLast((node) => node.id === live.nodeId);
  if (stored === undefined) return true;
  return stored.status !== 'running' && stored.revision !== live.staleRevision;
}

/** `next`, or the object known so far where nothing changed, so that only changed messages are drawn again. */
export function keepIdentity(known: MessageNode | undefined, next: MessageNode): MessageNode {
  return known !== undefined && isSameNode(known, next) ? known : next;
}

function isSameNode(a: MessageNode, b: MessageNode): boolean {
  return (
    a.revision === b.revision &&
    a.status === b.status &&
    a.parentId === b.parentId &&
    a.steps.length === b.steps.length &&
    a.siblings.length === b.siblings.length &&
    a.siblings.every((id, index) => id === b.siblings[index])
  );
}
