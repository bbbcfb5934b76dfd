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
