import { createGate, type Gate, type GateDependencies } from '../../src/outbound/gate';
import type { NewLedgerEntry } from '../../src/outbound/ledger';

export interface TestGate {
  readonly gate: Gate;
  /** Ledger rows in the order in which they were written. */
  readonly rows: NewLedgerEntry[];
  /** The first row that no earlier call of this got; waits for it. */
  nextRow(): Promise<NewLedgerEntry>;
}

/** A real gate over Node's fetch whose ledger is a list. */
export function createTestGate(overrides: Partial<GateDependencies> = {}): TestGate {
  const rows: NewLedgerEntry[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;
  const gate = createGate({
    fetch: globalThis.fetch,
    now: () => performance.timeOrigin + performance.now(),
    isLocked: () => Promise.resolve(false),
    isOnline: () => true,
    pageOrigin: 'http://localhost:4173',
    record: (row) => {
      rows.push(row);
      waiting.shift()?.();
      return Promise.resolve();
    },
    ...overrides,
  });
  return {
    gate,
    rows,
    async nextRow() {
      const index = taken;
      taken += 1;
      if (rows.length <= index) await new Promise<void>((resolve) => waiting.push(resolve));
      const row = rows[index];
      if (row === undefined) throw new Error('No ledger row came.');
      return row;
    },
  };
}
