import { LOCAL_PROVIDER, type ModelInfo } from './account';
import type { ErrorData, JsonObject } from './errors';

/** What runs models on this device: `web-llm` on the GPU (MLC weights), `wllama` on the CPU (GGUF files). Stored with a model. */
export const LOCAL_ENGINES = ['web-llm', 'wllama'] as const;
export type LocalEngineId = (typeof LOCAL_ENGINES)[number];

/** The account that all models on this device belong to. It has no address and no key. */
export const LOCAL_ACCOUNT = { id: 'this-device', provider: LOCAL_PROVIDER } as const;

/** One file of a model. `bytes` and `sha256` (hexadecimal) are null where nobody has said them yet. */
export interface ModelFile {
  readonly url: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
}

/** Where the weights come from. */
export type LocalModelSource =
  /** Records of the engine's own list, by the precision that a GPU needs. `null`: there is no such twin. */
  | { readonly type: 'mlc'; readonly f16: string | null; readonly f32: string | null }
  | { readonly type: 'gguf'; readonly files: readonly ModelFile[] }
  /** A GGUF file that the user brought in; it can't be fetched again. */
  | { readonly type: 'file'; readonly name: string };

export interface LocalModel {
  /** Unique and stable; the model's id in its account. */
  readonly id: string;
  readonly engine: LocalEngineId;
  /** A proper name, not translated. */
  readonly name: string;
  readonly source: LocalModelSource;
  /** What is fetched in all; an estimate in the catalogue, null where unknown. */
  readonly downloadBytes: number | null;
  /** Graphics memory (web-llm) or memory (wllama) while it runs, with its whole context; an estimate. */
  readonly memoryBytes: number;
  /** The window it is loaded with: prompt and answer together. */
  readonly contextTokens: number;
  /** BCP 47 tags, the best first; `mul` for many. Empty where nobody said. */
  readonly languages: readonly string[];
  readonly licence: { readonly name: string; readonly url: string } | null;
  /** It thinks before it answers, and can be told not to. */
  readonly reasoning: boolean;
  readonly vision: boolean;
}

/** What of this device decides whether a model can run. Nothing here is sent anywhere. */
export interface DeviceFacts {
  /** `none`: the browser has no WebGPU. `no-adapter`: it has, but no usable GPU. `software`: a GPU that the CPU plays, minutes an answer. */
  readonly gpu: 'none' | 'no-adapter' | 'software' | 'hardware';
  readonly hasShaderF16: boolean;
  /** Limits of the adapter, bytes and counts; 0 without one. */
  readonly limits: {
    readonly maxBufferSize: number;
    readonly maxStorageBufferBindingSize: number;
    readonly maxComputeWorkgroupStorageSize: number;
    readonly maxStorageBuffersPerShaderStage: number;
  };
  /** The browser's own, coarse word (at most 8 GB); null where it says none. */
  readonly memoryBytes: number | null;
  /** What this origin may still store; null where the browser does not say. */
  readonly freeStorageBytes: number | null;
  /** The user asked to save data: nothing large is fetched without being asked once more. */
  readonly saveData: boolean;
  /** Whether the CPU engine can run: JavaScript promise integration and 64-bit memory in WebAssembly. */
  readonly hasCpuEngine: boolean;
}

/** Why a model can't run or be stored here. */
export const MISFITS = ['no-webgpu', 'no-gpu', 'gpu-limits', 'shader-f16', 'memory', 'storage', 'no-cpu-engine'] as const;
export type Misfit = (typeof MISFITS)[number];

/** Whether a model can run here. `needBytes` and `haveBytes` go with `memory`, `storage` and `gpu-limits`. */
export type Fit =
  | { readonly fits: true; readonly precision: 'f16' | 'f32' | null; readonly isSlow: boolean }
  | { readonly fits: false; readonly reason: Misfit; readonly needBytes?: number; readonly haveBytes?: number };

export type LocalModelStatus =
  | { readonly type: 'absent' }
  /** `totalBytes` is null until the hub has said it. */
  | { readonly type: 'downloading'; readonly receivedBytes: number; readonly totalBytes: number | null }
  /** By the user, or by the failure that `error` tells; what arrived is kept. */
  | { readonly type: 'paused'; readonly receivedBytes: number; readonly totalBytes: number | null; readonly error: ErrorData | null }
  | { readonly type: 'ready'; readonly storedBytes: number }
  /** `progress`: 0 to 1, null while nothing can be said. */
  | { readonly type: 'loading'; readonly storedBytes: number; readonly progress: number | null }
  | { readonly type: 'loaded'; readonly storedBytes: number };

export interface LocalModelEntry {
  readonly model: LocalModel;
  readonly status: LocalModelStatus;
  readonly fit: Fit;
  /** Measured on this device in its last answers; null before the first. */
  readonly tokensPerSecond: number | null;
  /** Its last load ended with the death of the tab or the worker: it is only loaded again when the user asks. */
  readonly hasCrashed: boolean;
}

/** All models on this device, in the order of the catalogue, the user's own last. */
export interface LocalModelsView {
  readonly entries: readonly LocalModelEntry[];
  readonly device: DeviceFacts;
  /** Bytes of all models and parts of models that are stored. */
  readonly usedBytes: number;
}

/** What the user can ask of the models on this device. Each is answered with the view right after it has begun. */
export type LocalModelAction =
  | { readonly type: 'look' }
  /** Begins a download, or goes on with one. */
  | { readonly type: 'download'; readonly modelId: string }
  | { readonly type: 'pause'; readonly modelId: string }
  /** Ends a download and removes what arrived, or removes a whole model. A model of the user's own is forgotten. */
  | { readonly type: 'remove'; readonly modelId: string }
  | { readonly type: 'add-url'; readonly url: string }
  | { readonly type: 'load'; readonly modelId: string }
  | { readonly type: 'unload' };

/** One answer that is asked of a local engine. */
export interface LocalRequest {
  readonly modelId: string;
  /** Messages, tools and sampling as the Chat Completions protocol has them, which both engines speak. */
  readonly body: JsonObject;
  /** False asks a thinking model not to; null leaves it alone. */
  readonly thinking: boolean | null;
  /** A chat comes before anything in the background, which is stopped for it with `interrupted` (retryable). */
  readonly priority: 'chat' | 'background';
}

/** Why a local answer has not begun yet. */
export type LocalWait =
  /** Another answer comes first. */
  | { readonly type: 'queued' }
  | { readonly type: 'loading'; readonly progress: number | null }
  /** The model reads the prompt. */
  | { readonly type: 'reading' };

/** What a local engine says while it answers; ends with exactly one `finish`. */
export type LocalEvent =
  | { readonly type: 'wait'; readonly wait: LocalWait }
  /** A chunk of the Chat Completions protocol, with its choices and its usage. */
  | { readonly type: 'chunk'; readonly chunk: JsonObject }
  /** `isInterrupted`: it was stopped, and no chunk gave a reason. `tokensPerSecond` is null where nothing was measured. */
  | { readonly type: 'finish'; readonly isInterrupted: boolean; readonly tokensPerSecond: number | null };

/** The model as its account lists it. Both engines call tools: one by the model's own template, the other by a grammar. */
export function modelInfoOf({ id, name, vision, reasoning, contextTokens }: LocalModel): ModelInfo {
  return { id, name, capabilities: { vision, tools: true, reasoning, contextTokens } };
}
