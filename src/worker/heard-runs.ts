import type { Events } from '../core/protocol';
import type { RunSnapshot } from '../core/run';
import type { Environment } from '../generation/environment';
import { storedEnd } from '../generation/run-end';
import { readRun } from '../storage/runs';
import type { Listener } from './audience';

type HeardRun = Pick<RunSnapshot, 'runId' | 'conversationId' | 'nodeId'>;

/**
 * The page, and the runs that it believes to go on. A worker that dies between storing an answer and telling of it leaves nothing to
 * recover: only whoever heard of the run can tell that its end was missed. What comes of a run after its end, from a tab that slept, is not
 * passed on.
 */
export class HeardRuns implements Listener {
  readonly #page: Listener;
  readonly #runs = new Map<string, HeardRun>();
  readonly #over = new Set<string>();

  constructor(page: Listener) {
    this.#page = page;
  }

  emit<K extends keyof Events & string>(name: K, payload: Events[K]): void {
    if ('runId' in payload) {
      if (this.isOver(payload)) return;
      if (name === 'run-start') this.note(payload);
      if (name === 'run-end') this.#end(payload.runId);
    }
    this.#page.emit(name, payload);
  }

  /** The page learns of a run in another way. */
  note({ runId, conversationId, nodeId }: HeardRun): void {
    this.#runs.set(runId, { runId, conversationId, nodeId });
  }

  /** Whether the page has heard of the end of a run. */
  isOver({ runId }: { readonly runId: string }): boolean {
    return this.#over.has(runId);
  }

  #end(runId: string): void {
    this.#runs.delete(runId);
    this.#over.add(runId);
  }

  /** The id of the run that the page believes to go on in a conversation. */
  current(conversationId: string): string | undefined {
    return [...this.#runs.values()].findLast((run) => run.conversationId === conversationId)?.runId;
  }

  /** Tells the page of every end that it missed. A run that has its row goes on, or its end is told by whoever closes it. */
  async tellMissedEnds(environment: Environment): Promise<void> {
    for (const run of [...this.#runs.values()]) {
      const row = await readRun(environment.database, run.conversationId);
      if (row?.runId === run.runId) continue;
      const end = await storedEnd(environment, run);
      // Dropped where its own end came while this one was looked for.
      this.emit('run-end', end);
    }
  }
}
