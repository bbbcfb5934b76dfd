import { AppError, isAbort } from '../core/errors';
import type { OpenEntry } from './ledger';
import { startPatience } from './patience';

export interface MeterOptions {
  readonly entry: OpenEntry;
  readonly signal: AbortSignal;
  /** The longest silence between two pieces. */
  readonly timeoutMs: number;
}

/**
 * The body, counted into its ledger row, which is written when the body ends, fails, or is given up. Reading throws AbortError once the
 * signal fires, `timeout` after too long a silence and `stream-cut` where the connection broke; both may be retried. An abort and a cancel
 * reach the source at once, whether or not anybody is reading.
 */
export function meterBody(source: ReadableStream<Uint8Array>, options: MeterOptions): ReadableStream<Uint8Array> {
  const { entry, signal, timeoutMs } = options;
  const reader = source.getReader();
  const giveUp = (): void => {
    entry.settle('aborted');
    void reader.cancel().catch(() => undefined);
  };
  const settle = (outcome: 'answered' | 'failed'): void => {
    signal.removeEventListener('abort', giveUp);
    entry.settle(outcome);
  };
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await readWithin(reader, timeoutMs);
          // A cancelled source reads as ended; an abort must not look like a complete body.
          if (signal.aborted) throw abortError(signal);
          if (done) {
            settle('answered');
            controller.close();
          } else {
            entry.count(value.byteLength);
            controller.enqueue(value);
          }
        } catch (error) {
          if (signal.aborted) throw abortError(signal);
          settle('failed');
          void reader.cancel().catch(() => undefined);
          throw error instanceof AppError
            ? error
            : new AppError('stream-cut', { retryable: true, details: { cause: 'connection' }, cause: error });
        }
      },
      cancel(reason) {
        settle('answered');
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The signal's reason where it is an AbortError, else a new one: cancellation is recognised by its name. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error && isAbort(reason) ? reason : new DOMException('aborted', 'AbortError');
}

/** At most `limitBytes` of a body as text; the rest is given up. Throws what reading throws. */
export async function readStart(body: ReadableStream<Uint8Array>, limitBytes: number): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    const rest = limitBytes - bytes;
    bytes += value.byteLength;
    text += decoder.decode(value.subarray(0, rest), { stream: true });
    if (bytes >= limitBytes) {
      void reader.cancel().catch(() => undefined);
      return text;
    }
  }
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  timeoutMs: number,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let endPatience = (): void => undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    endPatience = startPatience(timeoutMs, () => {
      reject(new AppError('timeout', { retryable: true, details: { timeoutMs } }));
    });
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    endPatience();
  }
}
