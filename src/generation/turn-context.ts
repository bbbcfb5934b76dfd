import type { Account, ModelCapabilities } from '../core/account';
import type { MessageNode, ModelReference, Part } from '../core/node';
import type { RunProfile } from '../core/profile';
import type { Provider } from '../providers/provider';
import type { Environment } from './environment';

/** What stays the same for a whole turn, from the first request to the last write. */
export interface TurnContext {
  readonly environment: Environment;
  readonly conversationId: string;
  readonly runId: string;
  /** The node that is written. */
  readonly nodeId: string;
  /** From the root to the message that is answered; for a continuation, to the node that goes on. */
  readonly path: readonly MessageNode[];
  readonly model: ModelReference;
  readonly account: Account;
  readonly provider: Provider;
  readonly capabilities: ModelCapabilities;
  readonly profile: RunProfile;
  /** Stored parts of the step that is continued; empty for a fresh answer. */
  readonly continued: readonly Part[];
  /** Epoch ms by the clock as it stood when the turn began: what a turn measures is never negative and never jumps. */
  now(): number;
  /** Fires when the user stops the run or another one takes its place. */
  readonly signal: AbortSignal;
}
