import { collectBlobs } from './blobs';
import type { OutboxConsumer } from './outbox';

/** A file that was attached but not yet saved in a draft or message is younger than this. */
const ATTACHING_MS = 60 * 60 * 1000;

/** Everyone who follows what changed, in order. `now` gives epoch ms. */
export function outboxConsumers(now: () => number): readonly OutboxConsumer[] {
  return [blobCollector(now)];
}

/** Removes files that lost their last owner. One that was attached within the hour stays until something else is deleted. */
function blobCollector(now: () => number): OutboxConsumer {
  return {
    id: 'blob-collector',
    async consume(database, rows, signal) {
      const isLoss = rows.some((row) => row.change === 'delete' && (row.entity === 'node' || row.entity === 'conversation'));
      if (isLoss) await collectBlobs(database, now() - ATTACHING_MS, signal);
    },
  };
}
