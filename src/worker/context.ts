import type { Desk } from '../generation/desk';
import type { Session } from '../generation/sessions';
import type { RunAudience, Listener } from './audience';
import type { HeardRuns } from './heard-runs';
import type { LocalModels } from './local-models';
import type { Neighbours } from './neighbours';

/** What a command gets: the generation's desk, the other tabs, and who asks. */
export interface WorkerContext extends Desk {
  readonly audience: RunAudience;
  /** The page of this worker, and which runs it knows of. */
  readonly heard: HeardRuns;
  readonly neighbours: Neighbours;
  /** Models on this device. */
  readonly localModels: LocalModels;
  /** The page, or another tab's worker. */
  readonly caller: Listener;
  /** True for the page of this worker: only its commands are passed on to an owner elsewhere. */
  readonly isPage: boolean;
}

/** A command that any worker may run. */
export type Command<Args, Result> = (args: Args, context: WorkerContext, signal: AbortSignal) => Promise<Result>;

/** A command that only the owner of the conversation may run. */
export type OwnerCommand<Args, Result> = (args: Args, context: WorkerContext, session: Session) => Promise<Result>;
