import type { QuestionDeadline } from '../../../core/node';
import { deadlineLeft } from '../../../core/question';

const SECOND_MS = 1000;
const MINUTE_SECONDS = 60;
/** A tab that answers may have other work just then; after this long nobody will. */
const GRACE_MS = 30 * SECOND_MS;

export type ClockState =
  | { readonly type: 'none' }
  | { readonly type: 'running' | 'paused'; readonly seconds: number }
  /** Its time is up, and it is being answered. */
  | { readonly type: 'due' }
  /** Its time ran out while no page was open; only the user goes on with it. */
  | { readonly type: 'overdue' };

/** What the clock of a question shows at `now`, to someone who has had it before them since `seenAt`. Both epoch ms; only the stored deadline counts. */
export function clockOf(deadline: QuestionDeadline | undefined, now: number, seenAt: number): ClockState {
  const leftMs = deadlineLeft(deadline, now);
  if (deadline === undefined || leftMs === null) return { type: 'none' };
  const seconds = Math.ceil(leftMs / SECOND_MS);
  if (deadline.type === 'paused') return { type: 'paused', seconds };
  if (deadline.at <= seenAt || now - deadline.at > GRACE_MS) return { type: 'overdue' };
  return leftMs === 0 ? { type: 'due' } : { type: 'running', seconds };
}

/** Minutes and seconds as a clock shows them. */
export function clockText(seconds: number): string {
  return `${String(Math.floor(seconds / MINUTE_SECONDS))}:${String(seconds % MINUTE_SECONDS).padStart(2, '0')}`;
}
