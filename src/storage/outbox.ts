import type { JackdawDatabase, OutboxRow } from './db';
import { stored } from './open';

/** Changes handed over at once: enough to be quick, few enough to be done again. */
const BATCH_ROWS = 200;

/** Someone who follows what changed. May see a change more than once, never misses one. */
export interface OutboxConsumer {
  readonly id: string;
  /** Resolves once these changes need not be shown again. Oldest first. */
  consume(database: JackdawDatabase, rows: readonly OutboxRow[], signal: AbortSignal): Promise<void>;
}

/**
 * Hands every change to every consumer, oldest first, and forgets a batch only after all of them took it. A consumer's failure is
 * thrown and leaves its batch for the next time. One tab at a time should do this. Returns how many changes were consumed; an abort
 * rejects between two batches.
 */
export async function consumeOutbox(database: JackdawDatabase, consumers: readonly OutboxConsumer[], signal: AbortSignal): Promise<number> {
  let consumed = 0;
  for (;;) {
    signal.throwIfAborted();
    const rows = await stored(database, () => database.outbox.orderBy('seq').limit(BATCH_ROWS).toArray());
    if (rows.length === 0) return consumed;
    for (const consumer of consumers) await consumer.consume(database, rows, signal);
    await stored(database, () => database.outbox.bulkDelete(rows.flatMap((row) => row.seq ?? [])));
    consumed += rows.length;
  }
}
