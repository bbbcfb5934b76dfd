import { liveQuery } from 'dexie';
import * as v from 'valibot';
import { tick } from '../core/clock';
import { DEFAULT_SETTINGS, type Settings } from '../core/settings';
import type { JackdawDatabase } from './db';
import { stored } from './open';
import { noteChanges, plainChange } from './outbox-rows';
import { SETTING_SCHEMAS } from './record-schemas';
import type { Stamp } from './stamp';

/** All settings. One that was never set, or is stored damaged, has its default. Usable as a live query. */
export function readSettings(database: JackdawDatabase): Promise<Settings> {
  return stored(database, async () => {
    const rows = await database.settings.toArray();
    const values = new Map(rows.map((row) => [row.key, row.body.value]));
    const read = <Key extends keyof Settings>(key: Key): Settings[Key] =>
      parsedOr<Settings[Key]>(SETTING_SCHEMAS[key], values.get(key), DEFAULT_SETTINGS[key]);
    return {
      language: read('language'),
      theme: read('theme'),
      textSize: read('textSize'),
      sendKey: read('sendKey'),
      defaultModel: read('defaultModel'),
      notifications: read('notifications'),
      offlineLock: read('offlineLock'),
      modelHost: read('modelHost'),
      warmUpModel: read('warmUpModel'),
      controls: read('controls'),
      toolPolicies: read('toolPolicies'),
      questionTimeoutMs: read('questionTimeoutMs'),
      showReasoning: read('showReasoning'),
    };
  });
}

/** Calls `next` with all settings now and after every change, whichever tab made it. `fail` hears a failure, and nothing comes after it. */
export function followSettings(database: JackdawDatabase, next: (settings: Settings) => void, fail: (error: unknown) => void): void {
  liveQuery(() => readSettings(database)).subscribe({ next, error: fail });
}

/** Changes one setting. */
export function writeSetting<Key extends keyof Settings>(
  database: JackdawDatabase,
  key: Key,
  value: Settings[Key],
  stamp: Stamp,
): Promise<void> {
  return stored(database, () =>
    database.transaction('rw', [database.settings, database.outbox], async () => {
      const previous = await database.settings.get(key);
      await database.settings.put({ key, clock: tick(previous?.clock, stamp.at, stamp.device), body: { value } });
      await noteChanges(database, [plainChange('setting', key, 'put')], stamp.at);
    }),
  );
}

function parsedOr<Value>(schema: v.GenericSchema<Value>, stored: unknown, fallback: Value): Value {
  const parsed = v.safeParse(schema, stored);
  return parsed.success ? parsed.output : fallback;
}
