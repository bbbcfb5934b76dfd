import type { ErrorData } from '../core/errors';
import type { LocalModel } from '../core/local-model';
import type { JackdawDatabase } from './db';
import { stored } from './open';

/** What is remembered of a model on this device. A row exists once the user wanted it. */
export interface LocalModelRecord {
  /** The model itself, so that it stays known when the catalogue changes; a model of the user's is nowhere else. */
  readonly model: LocalModel;
  /** The variant that was fetched; null where there is only one. */
  readonly precision: 'f16' | 'f32' | null;
  readonly receivedBytes: number;
  /** Null until the hub has said it. */
  readonly totalBytes: number | null;
  /** Everything is there and was checked. */
  readonly isComplete: boolean;
  /** The download is wanted: a new owner of the engine goes on with it only when the user asks. */
  readonly error: ErrorData | null;
  readonly tokensPerSecond: number | null;
  /** Epoch ms of its last answer; 0 before the first. */
  readonly usedAt: number;
  /** A load has begun and not ended: where no engine lives, it died in it. */
  readonly isLoading: boolean;
}

/** All records, in no order. */
export function listLocalModels(database: JackdawDatabase): Promise<readonly LocalModelRecord[]> {
  return stored(database, async () => (await database.localModels.toArray()).map((row) => row.body));
}

/** Changes the record of a model, or makes it. `change` gets undefined where there is none, and returns null to remove it. */
export function changeLocalModel(
  database: JackdawDatabase,
  id: string,
  change: (record: LocalModelRecord | undefined) => LocalModelRecord | null,
): Promise<void> {
  return stored(database, () =>
    database.transaction('rw', database.localModels, async () => {
      const next = change((await database.localModels.get(id))?.body);
      if (next === null) await database.localModels.delete(id);
      else await database.localModels.put({ id, body: next });
    }),
  );
}
