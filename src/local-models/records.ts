import type { LocalModel } from '../core/local-model';
import type { JackdawDatabase, LocalModelRecord } from '../storage/db';
import { listLocalModels, saveLocalModel } from '../storage/local-models';

/** The records of models on this device, as the one worker that changes them has them in hand. */
export class Records {
  readonly #database: JackdawDatabase;
  readonly #known: Map<string, LocalModelRecord>;

  private constructor(database: JackdawDatabase, known: Map<string, LocalModelRecord>) {
    this.#database = database;
    this.#known = known;
  }

  /** Reads them. Throws storage codes. */
  static async open(database: JackdawDatabase): Promise<Records> {
    const records = await listLocalModels(database);
    return new Records(database, new Map(records.map((record) => [record.model.id, record])));
  }

  get all(): readonly LocalModelRecord[] {
    return [...this.#known.values()];
  }

  find(modelId: string): LocalModelRecord | undefined {
    return this.#known.get(modelId);
  }

  /** The GPU package's id of a model, in the precision that was chosen with its download; null for one of the CPU engine. */
  mlcOf({ id, source }: LocalModel): string | null {
    if (source.type !== 'mlc') return null;
    return this.find(id)?.precision === 'f32' ? (source.f32 ?? source.f16) : (source.f16 ?? source.f32);
  }

  /** Changes the record of a model, making it where there is none. Throws storage codes. */
  async put(model: LocalModel, change: Partial<Omit<LocalModelRecord, 'model'>>): Promise<void> {
    const record = { ...(this.#known.get(model.id) ?? fresh(model)), model, ...change };
    this.#known.set(model.id, record);
    await saveLocalModel(this.#database, model.id, record);
  }

  async remove(modelId: string): Promise<void> {
    this.#known.delete(modelId);
    await saveLocalModel(this.#database, modelId, null);
  }
}

function fresh(model: LocalModel): LocalModelRecord {
  return {
    model,
    precision: null,
    receivedBytes: 0,
    totalBytes: null,
    isComplete: false,
    error: null,
    tokensPerSecond: null,
    isLoading: false,
  };
}
