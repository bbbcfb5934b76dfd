import { isPending, type MessageNode, type ToolPart } from '../../../core/node';
import { deadlineLeft } from '../../../core/question';

const SECOND_MS = 1000;
const MINUTE_SECONDS = 60;

/** The calls of a message that wait for the user, in order. */
export function waitingCalls(node: Pick<MessageNode, 'status' | 'steps'> | undefined): readonly ToolPart[] {
  return node?.status === 'awaiting' ? (node.steps.at(-1)?.parts.filter(isPending) ?? []) : [];
}

/** Arguments in lines where they are JSON, else as they came; empty where there are none. */
export function readableArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return isEmpty ? '' : JSON.stringify(value, null, 2);
  } catch {
    // Malformed: shown as the model wrote it.
    return text.trim();
  }
}

/** Whether a text is one JSON object. */
export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    // Being typed.
    return false;
  }
}

export type ClockState =
  | { readonly type: 'none' }
  | { readonly type: 'running' | 'paused'; readonly seconds: number }
  /** Its time ran out, and no tab was there to answer it. */
  | { readonly type: 'overdue' };

/** What the clock of a question shows. Half a minute of grace: the tab that answers it may have other work just then. */
export function clockOf({ deadline }: ToolPart, now: number): ClockState {
  const leftMs = deadlineLeft(deadline, now);
  if (deadline === undefined || leftMs === null) return { type: 'none' };
  if (deadline.type === 'paused') return { type: 'paused', seconds: Math.ceil(leftMs / SECOND_MS) };
  if (now - deadline.at > 30 * SECOND_MS) return { type: 'overdue' };
  return { type: 'running', seconds: Math.ceil(leftMs / SECOND_MS) };
}

/** Minutes and seconds as a clock shows them. */
export function clockText(seconds: number): string {
  return `${String(Math.floor(seconds / MINUTE_SECONDS))}:${String(seconds % MINUTE_SECONDS).padStart(2, '0')}`;
}
