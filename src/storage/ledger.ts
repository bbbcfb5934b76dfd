import type { LedgerEntry } from '../core/outbound';
import type { JackdawDatabase, LedgerRow } from './db';
import { stored } from './open';

/** Entries kept: weeks of use, under a megabyte. */
const MAX_ENTRIES = 5000;

/** Adds one request to the ledger and forgets the oldest beyond 5,000. */
export function appendLedger(database: JackdawDatabase, row: Omit<LedgerRow, 'id'>): Promise<void> {
  return stored(database, () =>
    database.transaction('rw', [database.ledger], async () => {
      const id = await database.ledger.add(row);
      await database.ledger
        .where('id')
        .belowOrEqual((id ?? 0) - MAX_ENTRIES)
        .delete();
    }),
  );
}

/** The newest `limit` entries, newest first. Usable as a live query. */
export function readLedger(database: JackdawDatabase, limit: number): Promise<LedgerEntry[]> {
  return stored(database, async () => {
    const rows = await database.ledger.orderBy('id').reverse().limit(limit).toArray();
    return rows.map((row) => ({ ...row, id: row.id ?? 0 }));
  });
}
