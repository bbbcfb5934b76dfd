import type { TurnContext } from '../turn-context';

/** One block of the system message; null where it doesn't apply. Constant within an epoch: no clock, no device facts. */
export interface SystemBlock {
  readonly id: string;
  text(turn: TurnContext): string | null;
}
