import type { AppError } from '../core/errors';
import type { RunDelta, RunEnd, RunSnapshot } from '../core/run';
import type { Environment } from './environment';
import type { Sessions } from './sessions';

/** Who hears what runs do: the worker's own page and those of other tabs. */
export interface RunFeed {
  started(snapshot: RunSnapshot): void;
  delta(delta: RunDelta): void;
  ended(end: RunEnd): void;
  notice(error: AppError, conversationId: string | null): void;
}

/** What every entry into the generation needs. */
export interface Desk {
  readonly environment: Environment;
  readonly sessions: Sessions;
  readonly feed: RunFeed;
}
