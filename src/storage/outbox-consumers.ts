import { collectBlobs } from './blobs';
import type { OutboxConsumer } from './outbox';

/** A file that was attached but not yet saved in a draft or message is younger than this. */
const ATTACHING_MS = 60 * 60 * 1000;

/** Removes files that lost their last owner; those that were attached within the hour before are left for the next time. */
const blobCollector: OutboxConsumer = {
  id: 'blob-collector',
  async consume(database, rows, signal) {
    const losses = rows.filter((row) => row.change === 'delete' && (row.entity === 'node' || row.entity === 'conversation'));
    const latest = losses.reduce((at, row) => Math.max(at, row.at), 0);
    if (latest > 0) await collectBlobs(database, latest - ATTACHING_MS, signal);
  },
};

/** Everyone who follows what changed, in order. */
export const OUTBOX_CONSUMERS: readonly OutboxConsumer[] = [blobCollector];
