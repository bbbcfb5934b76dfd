import type { ErrorData } from '../../core/errors';
import type { ModelReference, Part, ToolPart, Usage } from '../../core/node';
import type { RunEnd } from '../../core/run';
import type { ChatMode } from '../../core/tool';

/** Who runs: the same in every event of a run. */
export interface RunIdentity {
  readonly conversationId: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly model: ModelReference;
  /** Id of the provider. */
  readonly provider: string;
  readonly mode: ChatMode;
}

/**
 * What happens in a run, in this order: `agent_start`; for each model step `turn_start`, `message_start`, `message_update`…, `message_end`, for
 * each of its calls `tool_execution_start`, `tool_execution_update`…, `tool_execution_end`, then `turn_end`; `agent_end` once. A run that goes on
 * with calls that the user decided about begins with a turn without a message. `message_end` comes before `turn_end` whatever happens.
 */
export type RunEvent =
  | { readonly type: 'agent_start' }
  | { readonly type: 'turn_start'; readonly step: number }
  | { readonly type: 'message_start'; readonly step: number }
  | { readonly type: 'message_update'; readonly step: number; readonly parts: readonly Part[] }
  | {
      readonly type: 'message_end';
      readonly step: number;
      readonly parts: readonly Part[];
      readonly usage?: Usage;
      readonly durationMs: number;
      readonly error?: ErrorData;
    }
  | { readonly type: 'tool_execution_start'; readonly step: number; readonly call: ToolPart }
  | { readonly type: 'tool_execution_update'; readonly step: number; readonly call: ToolPart }
  | { readonly type: 'tool_execution_end'; readonly step: number; readonly call: ToolPart }
  | { readonly type: 'turn_end'; readonly step: number }
  | { readonly type: 'agent_end'; readonly end: RunEnd };

/** Hears everything of one run. It is told, never asked: whatever it throws is kept from the run. */
export type RunSubscriber = (event: RunEvent, run: RunIdentity) => void;

/** The one stream of a run's events. */
export class RunEvents {
  /** Whose they are. */
  readonly run: RunIdentity;
  readonly #subscribers: readonly RunSubscriber[];
  readonly #failed: (error: unknown) => void;

  constructor(run: RunIdentity, subscribers: readonly RunSubscriber[], failed: (error: unknown) => void) {
    this.run = run;
    this.#subscribers = subscribers;
    this.#failed = failed;
  }

  emit(event: RunEvent): void {
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(event, this.run);
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
