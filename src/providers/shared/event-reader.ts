import type { Gate, GateRequest } from '../../outbound/gate';
import type { ServerEvent } from '../../outbound/repair';

/**
 * The events of an answer, repaired by the gate, as they arrive; a whole JSON answer is one event. Resolves once the answer's head is there
 * and good. Throws what the gate throws, reading too; events that came before a failure are handed out first. Giving up the iteration
 * closes the connection.
 */
export async function fetchEvents(
  gate: Gate,
  url: string,
  request: Omit<GateRequest, 'expect' | 'observe'>,
): Promise<AsyncIterable<ServerEvent>> {
  const arrived: ServerEvent[] = [];
  const response = await gate.fetch(url, { ...request, expect: 'events', observe: (event) => arrived.push(event) });
  return readEvents(response.body, arrived);
}

/** Reading the body is what makes the gate's observer see the next events. */
async function* readEvents(body: ReadableStream<Uint8Array> | null, arrived: ServerEvent[]): AsyncIterable<ServerEvent> {
  if (body === null) return;
  const reader = body.getReader();
  let hasEnded = false;
  try {
    while (!hasEnded) {
      try {
        hasEnded = (await reader.read()).done;
      } catch (error) {
        hasEnded = true;
        yield* arrived.splice(0);
        throw error;
      }
      yield* arrived.splice(0);
    }
  } finally {
    if (!hasEnded) await reader.cancel();
  }
}
