import type { Settings } from '../../core/settings';

/** What of a `KeyboardEvent` decides. */
export interface EnterEvent {
  readonly key: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Milliseconds on the page's own clock. */
  readonly timeStamp: number;
}

/** What browsers report for a key that an input method took. */
const KEY_CODE_OF_INPUT_METHOD = 229;
/** Safari ends a composition just before it reports the Enter that ended it; nobody presses a second key this soon. */
const AFTER_COMPOSITION_MS = 50;

/**
 * Whether this key press sends the message. An Enter that belongs to an input method never does. `compositionEndedAt` is the time stamp of
 * the last end of a composition, −Infinity for none.
 */
export function isSendKey(event: EnterEvent, sendKey: Settings['sendKey'], compositionEndedAt: number): boolean {
  if (event.key !== 'Enter' || event.altKey) return false;
  if (event.isComposing || event.keyCode === KEY_CODE_OF_INPUT_METHOD) return false;
  if (event.timeStamp - compositionEndedAt < AFTER_COMPOSITION_MS) return false;
  const withModifier = event.ctrlKey || event.metaKey;
  if (sendKey === 'mod-enter') return withModifier && !event.shiftKey;
  return !event.shiftKey;
}
