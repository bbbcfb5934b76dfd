import type { JsonObject } from './errors';

/** How long a model may think. Each level is mapped and capped per host by the provider; `auto` sends nothing. */
export const REASONING_LEVELS = ['auto', 'off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningLevel = (typeof REASONING_LEVELS)[number];

/** Absent means: send nothing, the server decides. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
}

export interface HeaderEntry {
  readonly name: string;
  readonly value: string;
}

/** What a model can take and do. */
export interface ModelCapabilities {
  readonly vision: boolean;
  readonly tools: boolean;
  readonly reasoning: boolean;
  /** Takes sound; absent: no. */
  readonly audio?: boolean;
  /** Takes PDF files; absent: no. */
  readonly documents?: boolean;
  /** Its server can search the web; absent: no. */
  readonly hostedSearch?: boolean;
  /** Tokens of prompt and answer together; null when nobody said. */
  readonly contextTokens: number | null;
}

export interface ModelInfo {
  readonly id: string;
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  /** It makes pictures and can't chat; absent: it chats. */
  readonly makesImages?: true;
}

/** The models of a list that can chat, in its order. */
export function chatModels(models: readonly ModelInfo[]): readonly ModelInfo[] {
  return models.filter(({ makesImages }) => makesImages !== true);
}

/** What the user set for one model by hand; wins over the provider's list and the catalogue. */
export type ModelOverride = Partial<ModelCapabilities>;

/** Whether an account stands for models of this device: it has no address and no key, and its models are kept elsewhere. */
export function isOnDevice({ provider }: Pick<Account, 'provider'>): boolean {
  return provider === LOCAL_PROVIDER || provider === BROWSER_PROVIDER;
}

/** Id of the provider of the browser's own model. */
export const BROWSER_PROVIDER = 'browser-model';

/** Id of the provider of models on this device. */
export const LOCAL_PROVIDER = 'local-engine';

/** A place where models answer. The key is stored apart and never part of this record. */
export interface Account {
  readonly id: string;
  /** Id of a provider in `providers/index.ts`. */
  readonly provider: string;
  /** Id of the preset it was made from, for its texts and quirks. */
  readonly preset: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly hasKey: boolean;
  readonly streaming: boolean;
  readonly reasoning: ReasoningLevel;
  readonly sampling: Sampling;
  readonly headers: readonly HeaderEntry[];
  /** Merged into the finished request body last: object into object, anything else replaces. */
  readonly body: JsonObject;
  /** Let the provider keep answers on its side (Responses); absent: no. */
  readonly store?: boolean;
  /** Let the provider's server search the web; absent: no. */
  readonly hostedSearch?: boolean;
  readonly overrides: { readonly [modelId: string]: ModelOverride };
}

/** An account with nothing set by hand. */
export function newAccount(given: Pick<Account, 'id' | 'provider' | 'preset' | 'name' | 'baseUrl'>): Account {
  return { ...given, hasKey: false, streaming: true, reasoning: 'auto', sampling: {}, headers: [], body: {}, overrides: {} };
}
