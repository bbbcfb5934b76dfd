/** Words of a composer that the database has not taken yet. */
export interface DraftCopies {
  /** What was left by this tab; undefined where the database took everything. */
  read(key: string): string | undefined;
  /** Done when it returns. Blank text leaves nothing. */
  keep(key: string, text: string): void;
  drop(key: string): void;
}

const PREFIX = 'jackdaw:draft:';

/**
 * Copies in the storage of the tab's session: written in one go, so that a page that is just being closed still gets it done, and open when
 * the database is deleted, full, or made by a newer version. It outlives a reload and ends with its tab. Where it is refused nothing is kept.
 */
export function draftCopies(session: () => Storage): DraftCopies {
  const attempt = <T>(act: (storage: Storage) => T): T | undefined => {
    try {
      return act(session());
    } catch {
      // Blocked or full: the database is still there for all but the last words.
      return undefined;
    }
  };
  const drop = (key: string): void => attempt((storage) => storage.removeItem(PREFIX + key));
  return {
    read: (key) => attempt((storage) => storage.getItem(PREFIX + key)) ?? undefined,
    keep: (key, text) => {
      if (text.trim() === '') drop(key);
      else attempt((storage) => storage.setItem(PREFIX + key, text));
    },
    drop,
  };
}
