import type { LocalEvent, LocalRequest } from '../core/local-model';

/** What an engine is given to load. */
export type EngineModel =
  | { readonly engine: 'wllama'; readonly files: readonly Blob[]; readonly contextTokens: number }
  /** All files are in the package's caches already. */
  | { readonly engine: 'web-llm'; readonly recordId: string; readonly contextTokens: number };

/** What the package's list says of one of its models: what has to be fetched and where from. */
export interface MlcRecord {
  /** Address of the hub's folder, ending in `/resolve/main/` or the like. */
  readonly model: string;
  /** Address of the compiled library. */
  readonly library: string;
}

/** What a loaded model says of itself. */
export interface LoadedModel {
  /** What it was loaded with: never more than it was trained for. */
  readonly contextTokens: number;
}

/** What the engine's worker does, one thing at a time but for `interrupt`. Ending the worker unloads. */
export interface EngineCommands {
  /** Loads a model in place of the one before. Throws `model-load-failed`, `out-of-memory`, `device-lost`. */
  load: { args: EngineModel; result: LoadedModel };
  /**
   * One answer of the loaded model: everything but `finish` comes as `output` events with this `id`, the result is the `finish`.
   * Throws `context-overflow`, `out-of-memory`, `device-lost`, `request-rejected`, `internal`.
   */
  generate: { args: { readonly id: number; readonly request: LocalRequest }; result: Extract<LocalEvent, { type: 'finish' }> };
  /** Ends the answer after the current token; it then finishes as `interrupted`. Reading a prompt can't be ended: end the worker. */
  interrupt: { args: { readonly id: number }; result: null };
  /** The package's record; null for an id that it does not know. */
  'mlc-record': { args: { readonly recordId: string }; result: MlcRecord | null };
  /** Whether the package finds all weights of a model in its caches. */
  'mlc-is-stored': { args: { readonly recordId: string }; result: boolean };
  /** Removes everything of a model from the package's caches. */
  'mlc-remove': { args: { readonly recordId: string }; result: null };
}

export interface EngineEvents {
  /** The worker holds its lock, `worker:` and its name: who gets the same lock knows that it is gone. */
  ready: Record<string, never>;
  /** How far the load is, 0 to 1; null while nothing can be said. */
  progress: { readonly progress: number | null };
  /** What arrived since the last one, in order, gathered for some milliseconds. */
  output: { readonly id: number; readonly events: readonly LocalEvent[] };
}
