import type { Account, ModelCapabilities, ModelInfo } from '../core/account';
import type { LocalEvent, LocalModelsView, LocalRequest } from '../core/local-model';
import type { PageCalls } from '../core/protocol';
import type { PictureShape } from '../core/picture';
import type { ModelRequest } from '../core/request';
import type { StreamEvent } from '../core/stream';
import type { Gate } from '../outbound/gate';

/** The one engine of this browser profile, wherever it runs. */
export interface LocalRuntime {
  /**
   * One answer. Waits in line, loads the model where it is not loaded, and says so meanwhile. Throws `model-not-downloaded`,
   * `model-load-failed`, `out-of-memory`, `device-lost`, `context-overflow`, `worker-died`, and AbortError at once when `signal` fires.
   */
  generate(request: LocalRequest, signal: AbortSignal): AsyncIterable<LocalEvent>;
  look(): Promise<LocalModelsView>;
}

/** The page as far as a provider may ask it for something. */
export interface BrowserModelPage {
  call(
    name: 'browser-model',
    args: PageCalls['browser-model']['args'],
    signal?: AbortSignal,
  ): Promise<PageCalls['browser-model']['result']>;
}

/** What a provider may use of its surroundings. */
export interface ProviderIo {
  readonly gate: Gate;
  /** The account's key; null where it has none, and then no key header is sent. */
  readonly key: string | null;
  readonly signal: AbortSignal;
  /** A new id, unique in the database. */
  readonly newId: () => string;
  /** The engine for models on this device. */
  readonly local: LocalRuntime;
  /** The page of this worker, for the browser's own model. */
  readonly page: BrowserModelPage;
}

/** A picture that is to be made. */
export interface ImageRequest {
  /** As `imageModel` gave it. */
  readonly modelId: string;
  readonly prompt: string;
  readonly shape: PictureShape;
}

/** What a provider says that it made; whether it is a picture its bytes say. */
export interface MadeImage {
  readonly mimeType: string;
  readonly base64: string;
}

/** One wire protocol or engine. */
export interface Provider {
  /** Stored in accounts; never changes. */
  readonly id: string;
  /** A proper name, not translated. */
  readonly name: string;
  /**
   * The models that can chat, ordered by id, and after them those that `makeImage` can use, marked, the best first. Throws what the gate throws, and
   * AbortError once `io.signal` fires.
   */
  listModels(account: Account, io: ProviderIo): Promise<readonly ModelInfo[]>;
  /** Where the list of models is asked for: what a connection test looks at when that fails. Throws `address-invalid`. */
  modelsUrl(account: Account): string | Promise<string>;
  /** What a model can do: what the user set by hand, then what the server's list said, then the catalogue of known names. */
  capabilities(modelId: string, account: Account, listed?: ModelInfo): ModelCapabilities | Promise<ModelCapabilities>;
  /**
   * One model step. Ends with exactly one `finish` event, or throws: an AppError, or AbortError once `io.signal` fires. Never both, never
   * neither. What was yielded before an error stays valid. Giving up the iteration closes the connection.
   */
  stream(request: ModelRequest, account: Account, io: ProviderIo): AsyncIterable<StreamEvent>;
  /** The model of an account's list that makes pictures; null where there is none. Absent: the provider makes none. */
  imageModel?(account: Account, listed: readonly ModelInfo[]): string | null;
  /**
   * One picture. Never repeated by itself: each costs. Throws what the gate throws, `provider-error` for an answer without a picture, and AbortError
   * once `io.signal` fires.
   */
  makeImage?(request: ImageRequest, account: Account, io: ProviderIo): Promise<MadeImage>;
}
