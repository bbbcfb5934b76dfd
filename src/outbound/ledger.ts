import type { LedgerEntry, LedgerOutcome, Purpose } from '../core/outbound';

export type NewLedgerEntry = Omit<LedgerEntry, 'id'>;

/** The row of one request while it is under way. */
export interface OpenEntry {
  /** Adds bytes of the answer's body, as they came out of the transport. */
  count(bytes: number): void;
  /** Remembers the status that was read. */
  answer(status: number): void;
  /** Writes the row; only the first call does. A store that fails never reaches the request. */
  settle(outcome: LedgerOutcome): void;
}

interface EntrySource {
  readonly purpose: Purpose;
  readonly origin: string;
  readonly method: string;
  readonly sentBytes: number;
}

/** Opens the row of a request. Nothing is written before `settle`, so that one request is one row. */
export function openEntry(source: EntrySource, now: () => number, record: (entry: NewLedgerEntry) => Promise<void>): OpenEntry {
  const at = now();
  let receivedBytes = 0;
  let status = 0;
  let isSettled = false;
  return {
    count(bytes) {
      receivedBytes += bytes;
    },
    answer(value) {
      status = value;
    },
    settle(outcome) {
      if (isSettled) return;
      isSettled = true;
      const entry: NewLedgerEntry = { at, ...source, outcome, status, receivedBytes, durationMs: Math.max(0, now() - at) };
      // The request matters more than its row: a full or closed database must not fail it.
      void Promise.resolve()
        .then(() => record(entry))
        .catch(() => undefined);
    },
  };
}
