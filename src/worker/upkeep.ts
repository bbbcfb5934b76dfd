import { toAppError } from '../core/errors';
import { stampOf } from '../generation/environment';
import type { Locks } from '../generation/sessions';
import { collectBlobs } from '../storage/blobs';
import { purgeDeleted } from '../storage/conversations';
import { consumeOutbox } from '../storage/outbox';
import { OUTBOX_CONSUMERS } from '../storage/outbox-consumers';
import type { WorkerContext } from './context';

const UPKEEP_LOCK = 'upkeep';
const INTERVAL_MS = 60_000;
// An undo is offered for ten seconds; a minute leaves room for a tab that was asleep meanwhile.
const KEEP_DELETED_MS = 60_000;
// A file that was just attached is named only by a draft that may not be saved yet.
const KEEP_UNNAMED_MS = 3_600_000;

/** Work that one tab does for all: the lock elects it, and passes to another tab when this one closes. */
export async function runUpkeep(context: WorkerContext, locks: Locks): Promise<void> {
  await locks.acquire(UPKEEP_LOCK);
  const { environment } = context;
  const never = new AbortController().signal;
  for (;;) {
    try {
      await purgeDeleted(environment.database, environment.now() - KEEP_DELETED_MS, stampOf(environment));
      await consumeOutbox(environment.database, OUTBOX_CONSUMERS, never);
      await collectBlobs(environment.database, environment.now() - KEEP_UNNAMED_MS);
    } catch (error) {
      context.feed.notice(toAppError(error), null);
    }
    await environment.sleep(INTERVAL_MS, never);
  }
}
