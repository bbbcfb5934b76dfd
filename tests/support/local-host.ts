import type { DeviceFacts, Fit, LocalEvent, LocalModel, LocalModelsView, LocalRequest } from '../../src/core/local-model';
import { AppError } from '../../src/core/errors';
import type { EngineCommands, EngineEvents } from '../../src/local-models/engine';
import type { EngineDeskParts, EngineLine } from '../../src/local-models/engine-desk';
import { LocalHost } from '../../src/local-models/host';
import { Records } from '../../src/local-models/records';
import type { DownloadOptions, ModelStore } from '../../src/local-models/store';
import type { JackdawDatabase } from '../../src/storage/db';
import { freshDatabase, ManualClock } from './generation';

type Hear = <K extends keyof EngineEvents>(name: K, payload: EngineEvents[K]) => void;

interface Open<Result> {
  resolve(value: Result): void;
  reject(error: unknown): void;
}

/** An engine worker that a test plays: it does nothing by itself. */
export class FakeEngineWorker implements EngineLine {
  readonly calls: { readonly name: string; readonly args: unknown }[] = [];
  isEnded = false;
  readonly #hear: Hear;
  readonly #onDeath: () => void;
  readonly #open = new Map<string, Open<unknown>[]>();

  constructor(hear: Hear, onDeath: () => void) {
    this.#hear = hear;
    this.#onDeath = onDeath;
  }

  async call<K extends keyof EngineCommands & string>(name: K, args: EngineCommands[K]['args']): Promise<EngineCommands[K]['result']> {
    this.calls.push({ name, args });
    return new Promise<EngineCommands[K]['result']>((resolve, reject) => {
      const open = this.#open.get(name) ?? [];
      open.push({
        resolve: (value) => {
          if (isResult<EngineCommands[K]['result']>(value)) resolve(value);
        },
        reject,
      });
      this.#open.set(name, open);
    });
  }

  /** Answers the oldest open call of a name. */
  async answer<K extends keyof EngineCommands & string>(name: K, result: EngineCommands[K]['result'] | AppError): Promise<void> {
    const open = await until(() => this.#open.get(name)?.shift());
    if (result instanceof AppError) open.reject(result);
    else open.resolve(result);
  }

  say(...events: readonly LocalEvent[]): void {
    const last = this.calls.findLast(({ name }) => name === 'generate')?.args;
    const id = typeof last === 'object' && last !== null && 'id' in last && typeof last.id === 'number' ? last.id : 0;
    this.#hear('output', { id, events });
  }

  progress(progress: number | null): void {
    this.#hear('progress', { progress });
  }

  /** Ends by itself, as a crash would. */
  die(): void {
    this.#rejectAll();
    this.#onDeath();
  }

  end(): void {
    this.isEnded = true;
    this.#rejectAll();
  }

  #rejectAll(): void {
    for (const open of [...this.#open.values()].flat()) open.reject(new AppError('worker-died'));
    this.#open.clear();
  }
}

function isResult<Result>(value: unknown): value is Result {
  return value !== undefined;
}

/** Waits until something is there, while promises settle. */
export async function until<T>(find: () => T | undefined): Promise<T> {
  for (let turn = 0; turn < 2000; turn++) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  throw new Error('waited in vain');
}

/** Files of models that a test gives and takes. */
export class FakeStore implements ModelStore {
  readonly downloads: { readonly model: LocalModel; readonly options: DownloadOptions; readonly end: Open<number> }[] = [];
  bytes = 0;
  isCleared = false;

  async download(model: LocalModel, options: DownloadOptions): Promise<number> {
    return new Promise((resolve, reject) => {
      options.signal.addEventListener('abort', () => {
        reject(new DOMException('aborted', 'AbortError'));
      });
      this.downloads.push({ model, options, end: { resolve, reject } });
    });
  }

  async takeIn(_model: LocalModel, file: Blob): Promise<number> {
    return file.size;
  }

  async open(model: LocalModel): Promise<readonly File[]> {
    if (this.isCleared) throw new AppError('model-not-downloaded', { details: { modelId: model.name } });
    return [new File(['GGUF'], `${model.id}.gguf`)];
  }

  async storedBytes(): Promise<number> {
    return this.bytes;
  }

  async remove(): Promise<void> {
    this.bytes = 0;
  }
}

export const DEVICE: DeviceFacts = {
  gpu: 'hardware',
  hasShaderF16: true,
  limits: {
    maxBufferSize: 2 ** 30,
    maxStorageBufferBindingSize: 2 ** 30,
    maxComputeWorkgroupStorageSize: 32_768,
    maxStorageBuffersPerShaderStage: 10,
  },
  memoryBytes: 8e9,
  freeStorageBytes: 1e12,
  saveData: false,
  hasCpuEngine: true,
};

export function cpuModel(id: string, memoryBytes = 1e9): LocalModel {
  return {
    id,
    engine: 'wllama',
    name: `Model ${id}`,
    source: { type: 'gguf', files: [{ url: `https://hub.example/${id}.gguf`, bytes: 100, sha256: null }] },
    downloadBytes: 100,
    memoryBytes,
    contextTokens: 4096,
    languages: ['en'],
    licence: null,
    reasoning: false,
    vision: false,
  };
}

export const GPU_MODEL: LocalModel = {
  ...cpuModel('gpu'),
  engine: 'web-llm',
  source: { type: 'mlc', f16: 'gpu-f16-MLC', f32: 'gpu-f32-MLC' },
};

/** A host over a real database with two models of the CPU engine and one of the GPU's. */
export async function testHost(options: { database?: JackdawDatabase; fit?: Fit } = {}) {
  const clock = new ManualClock();
  const database = options.database ?? (await freshDatabase());
  const store = new FakeStore();
  const engines: FakeEngineWorker[] = [];
  const views: LocalModelsView[] = [];
  const accounts: (readonly string[])[] = [];
  const start: EngineDeskParts['start'] = (hear, onDeath) => {
    const engine = new FakeEngineWorker(hear, onDeath);
    engines.push(engine);
    return engine;
  };
  const host = await LocalHost.open({
    catalogue: [cpuModel('large', 4e9), cpuModel('small'), GPU_MODEL],
    records: await Records.open(database),
    store,
    start,
    schedule: (ms, callback) => clock.schedule(ms, callback),
    device: async () => DEVICE,
    fit: () => options.fit ?? { fits: true, precision: 'f16', isSlow: false },
    smaller: (model, { entries }) => entries.find((entry) => entry.model.memoryBytes < model.memoryBytes)?.model ?? null,
    custom: (url) => ({ ...cpuModel(`own:${url}`), name: url }),
    fromFile: (name) => ({ ...cpuModel(`file:${name}`), source: { type: 'file', name } }),
    modelHost: async () => 'https://hub.example/',
    changed: (view) => {
      views.push(view);
    },
    keepAccount: async (models) => {
      accounts.push(models.map(({ id }) => id));
    },
  });
  return { host, clock, database, store, engines, views, accounts };
}

export type TestHost = Awaited<ReturnType<typeof testHost>>;

/** Downloads a model to its end. */
export async function downloaded({ host, store }: TestHost, modelId: string): Promise<void> {
  await host.act({ type: 'download', modelId }, NEVER);
  const download = await until(() => store.downloads.find(({ model }) => model.id === modelId));
  download.end.resolve(100);
  await until(() => (statusOf(host, modelId) === 'ready' ? true : undefined));
}

export const NEVER = new AbortController().signal;

export function statusOf(host: LocalHost, modelId: string): string | undefined {
  return host.view().entries.find(({ model }) => model.id === modelId)?.status.type;
}

export function ask(modelId: string, given: Partial<LocalRequest> = {}): LocalRequest {
  return {
    modelId,
    body: { messages: [{ role: 'user', content: 'hello' }] },
    thinking: null,
    priority: 'chat',
    ...given,
  };
}

export const FINISH = { type: 'finish', isInterrupted: false, tokensPerSecond: 12 } as const;

/** A piece of an answer. */
export function said(content: string): LocalEvent {
  return { type: 'chunk', chunk: { choices: [{ index: 0, delta: { content } }] } };
}
