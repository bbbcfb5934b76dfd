/** Why a request leaves. The ledger shows it and the offline lock is decided by it. */
export const PURPOSES = ['model', 'model-list', 'connection-test', 'image', 'model-download'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** How a request ended: an HTTP status was read, it failed, was cut off by us, or was refused before it left. */
export type LedgerOutcome = 'answered' | 'failed' | 'aborted' | 'refused';

/** One request as the user can look it up. No path, no query, no header, no body. */
export interface LedgerEntry {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
  readonly purpose: Purpose;
  /** Origin of the destination, `https://host:port`. */
  readonly origin: string;
  readonly method: string;
  readonly outcome: LedgerOutcome;
  /** HTTP status; 0 where none was read. */
  readonly status: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly durationMs: number;
}
