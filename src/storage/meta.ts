import type { JackdawDatabase, MetaRow } from './db';
import { stored } from './open';

/** A fact about this database, or undefined where it was never written. */
export function readMeta(database: JackdawDatabase, key: MetaRow['key']): Promise<MetaRow['value'] | undefined> {
  return stored(database, async () => (await database.meta.get(key))?.value);
}

/** Writes a fact about this database. */
export function writeMeta(database: JackdawDatabase, key: MetaRow['key'], value: MetaRow['value']): Promise<void> {
  return stored(database, async () => {
    await database.meta.put({ key, value });
  });
}

/** The id of this browser profile; made with `newId` the first time and the same ever after, in every tab. */
export function deviceId(database: JackdawDatabase, newId: () => string): Promise<string> {
  return stored(database, () =>
    database.transaction('rw', [database.meta], async () => {
      const row = await database.meta.get('device');
      if (typeof row?.value === 'string') return row.value;
      const id = newId();
      await database.meta.put({ key: 'device', value: id });
      return id;
    }),
  );
}
