import type { Locks } from '../generation/sessions';

/** The browser's Web Locks as the sessions want them. */
export const webLocks: Locks = {
  async tryAcquire(name) {
    return new Promise((resolve, reject) => {
      navigator.locks
        .request(name, { ifAvailable: true }, (lock) => {
          if (lock === null) {
            resolve(null);
            return undefined;
          }
          return hold(resolve);
        })
        .catch(reject);
    });
  },
  async acquire(name, signal) {
    return new Promise((resolve, reject) => {
      navigator.locks.request(name, signal === undefined ? {} : { signal }, () => hold(resolve)).catch(reject);
    });
  },
  async whenFree(name) {
    // Shared: a tab that the browser froze while it waits must not keep the others from hearing of it.
    await navigator.locks.request(name, { mode: 'shared' }, () => undefined);
  },
  async holder(name) {
    const { held = [] } = await navigator.locks.query();
    const client = held.find((lock) => lock.name === name)?.clientId;
    if (client === undefined) return null;
    return (
      held.find((lock) => lock.clientId === client && lock.name?.startsWith(WORKER_LOCK) === true)?.name?.slice(WORKER_LOCK.length) ?? null
    );
  },
};

/** Every worker holds this lock, followed by its name, as long as it lives. */
export const WORKER_LOCK = 'worker:';

/** A lock is held until its callback's promise settles. */
async function hold(resolve: (release: () => void) => void): Promise<void> {
  await new Promise<void>((release) => {
    resolve(release);
  });
}
