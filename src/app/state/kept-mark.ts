const MARK_KEY = 'jackdaw:kept';

/**
 * Remembers outside the database that conversations were kept in it, so that an emptied one is not taken for a first visit.
 *
 * It lies in `localStorage`. Chromium clears the database alone when its files are damaged, and leaves `localStorage` out when space runs low; other
 * browsers clear everything of a site at once, and then no place is left that could remember: the cache of the service worker goes with the
 * database. Only a cookie might stay, and that would be sent to the host with every file. Against that there are protection, installing, and exports.
 */
export interface KeptMark {
  readonly isSet: boolean;
  set(): void;
  clear(): void;
}

/** Where storage is refused the mark is never set. */
export function keptMark(storage: () => Storage): KeptMark {
  return {
    get isSet() {
      try {
        return storage().getItem(MARK_KEY) !== null;
      } catch {
        return false;
      }
    },
    set: () => {
      try {
        storage().setItem(MARK_KEY, '1');
      } catch {
        // Without it an emptied database looks like a first visit, as it did before.
      }
    },
    clear: () => {
      try {
        storage().removeItem(MARK_KEY);
      } catch {
        // What can't be reached was not set either.
      }
    },
  };
}
