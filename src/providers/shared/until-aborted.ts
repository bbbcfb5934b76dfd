import type { StreamEvent } from '../../core/stream';
import { abortError } from '../../outbound/meter';

/** Throws AbortError once the signal has fired. */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

/** The events, one by one, as long as nobody stops. Throws AbortError. */
export function* untilAborted(events: readonly StreamEvent[], signal: AbortSignal): Iterable<StreamEvent> {
  for (const event of events) {
    stopIfAborted(signal);
    yield event;
  }
}
