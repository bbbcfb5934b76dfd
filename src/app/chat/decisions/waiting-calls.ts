import { isPending, type MessageNode, type ToolPart } from '../../../core/node';

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

/** What an event of a decision key asks for; null: nothing. */
export type DecisionKey = 'approve' | 'deny' | null;

/** What of a `KeyboardEvent` decides. */
export interface DecisionKeyEvent {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
  readonly isComposing: boolean;
}

/**
 * Alt+A approves, Alt+D declines. Where Alt writes a letter of its own (å on a Mac), that letter belongs to the field that is typed into, and the key
 * counts by its place only outside of one. A key that is held down counts once.
 */
export function decisionKey(event: DecisionKeyEvent, isTyping: boolean): DecisionKey {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat || event.isComposing) return null;
  const key = event.key.toLowerCase();
  // Another plain letter is another key of that layout, wherever it stands.
  const isOwnLetter = /^[a-z]$/.test(key);
  if (key === 'a' || (!isOwnLetter && !isTyping && event.code === 'KeyA')) return 'approve';
  return key === 'd' || (!isOwnLetter && !isTyping && event.code === 'KeyD') ? 'deny' : null;
}
