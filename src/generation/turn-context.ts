import type { Account, ModelCapabilities } from '../core/account';
import type { MessageNode, ModelReference, Part, StepContent } from '../core/node';
import type { RunProfile } from '../core/profile';
import type { Provider } from '../providers/provider';
import type { TurnFacts } from '../tools/tool';
import type { Environment } from './environment';
import type { RunEvents } from './hooks/events';
import type { Toolbox } from './toolbox';

/** What stays the same for a whole turn, from the first request to the last write. */
export interface TurnContext {
  readonly environment: Environment;
  readonly conversationId: string;
  readonly runId: string;
  /** The node that is written. */
  readonly nodeId: string;
  /** From the root to the message that is answered. */
  readonly path: readonly MessageNode[];
  /** Steps that the answer has already: those on disk when the turn began, then those that it finished. */
  readonly steps: readonly StepContent[];
  readonly model: ModelReference;
  readonly account: Account;
  readonly provider: Provider;
  readonly capabilities: ModelCapabilities;
  readonly profile: RunProfile;
  readonly facts: TurnFacts;
  readonly toolbox: Toolbox;
  /** Milliseconds until a question answers itself; null: never. */
  readonly questionTimeoutMs: number | null;
  readonly events: RunEvents;
  /** Parts of the last step where the model is to go on in the middle of it; empty for a fresh step. */
  readonly continued: readonly Part[];
  /** Epoch ms by the clock as it stood when the turn began: what a turn measures is never negative and never jumps. */
  now(): number;
  /** Fires when the user stops the run or another one takes its place. */
  readonly signal: AbortSignal;
}
