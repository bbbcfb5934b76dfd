import { liveQuery } from 'dexie';
import type { JackdawDatabase, WaitRow } from './db';
import { stored } from './open';

/** Every call that waits for the user, in any conversation. Usable as a live query. */
export function readWaits(database: JackdawDatabase): Promise<WaitRow[]> {
  return stored(database, () => database.waits.toArray());
}

/** One call that waits, or undefined where it no longer does. */
export function readWait(database: JackdawDatabase, callId: string): Promise<WaitRow | undefined> {
  return stored(database, () => database.waits.get(callId));
}

/** Calls `next` with every call that waits, now and after each change, whichever tab made it. The returned function ends it. */
export function followWaits(
  database: JackdawDatabase,
  next: (rows: readonly WaitRow[]) => void,
  fail: (error: unknown) => void,
): () => void {
  const subscription = liveQuery(() => readWaits(database)).subscribe({ next, error: fail });
  return () => {
    subscription.unsubscribe();
  };
}
