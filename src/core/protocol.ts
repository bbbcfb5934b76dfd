import type { Account, ModelCapabilities, ModelInfo } from './account';
import type { Draft } from './draft';
import type { ErrorData } from './errors';
import type { LocalModelAction, LocalModelsView, LocalRequest } from './local-model';
import type { ModelReference } from './node';
import type { RunDelta, RunEnd, RunSnapshot } from './run';
import type { Decision, ToolDescription } from './tool';

/**
 * What tabs of different builds go by when they meet: with another number they leave each other alone. Raise it when the shape of an event, a
 * command, its result or a stored part changes in a way that an older tab can't read; a new kind of part or phase is such a change.
 */
export const PROTOCOL_VERSION = 3;

/**
 * The whole contract between the page and the generation worker. Arguments and results are plain data: they cross by structured clone.
 */
export interface Commands {
  /** What the app shows of providers without importing them. */
  catalog: { args: Record<string, never>; result: Catalog };
  /**
   * `conversationId: null` starts a conversation. `answer: false` only stores the message. `model` overrides the conversation's.
   * `messageId` is made by the page: a send that is repeated because its worker died is stored and answered once.
   */
  send: {
    args: { conversationId: string | null; messageId: string; draft: Draft; answer: boolean; model: ModelReference | null };
    result: SendResult;
  };
  stop: { args: { conversationId: string }; result: null };
  /**
   * A new answer beside `nodeId` (an assistant's node), or the answer to it (a user's node). `answerId` is the new node's; the worker that takes
   * the command in adds it, so that one that is repeated because its owner died is done once.
   */
  regenerate: { args: NodeArgs & { model: ModelReference | null; answerId?: string }; result: SendResult };
  /** A new alternative of `nodeId` with other words; for a user's node it is answered when `answer` is set. `messageId`: as `answerId` above. */
  edit: { args: NodeArgs & { draft: Draft; answer: boolean; model: ModelReference | null; messageId?: string }; result: SendResult };
  /** Goes on in the same node where an interrupted answer stopped. */
  continue: { args: NodeArgs; result: SendResult };
  /**
   * The user's word about a call that waits; the first one counts. The answer goes on once nothing in it waits any more. Throws
   * `call-not-pending` (decided already, or stopped), `call-elsewhere` (the call of another conversation), `answer-incomplete`, `arguments-invalid`.
   */
  decide: { args: CallArgs & { decision: Decision }; result: null };
  /** Stops or starts the clock of a question, or takes it away. Throws `call-not-pending`, `call-elsewhere`. */
  'question-clock': { args: CallArgs & { action: 'pause' | 'resume' | 'off' }; result: null };
  /** Between workers: a question's time ran out, and it is answered as it recommends. Throws `call-not-pending` where it has not. */
  'expire-question': { args: CallArgs; result: null };
  /** What was written down in agent-dev mode, one JSON object a line, oldest first; no key is in it. */
  'debug-log': { args: Record<string, never>; result: BlobLike };
  'clear-debug-log': { args: Record<string, never>; result: null };
  /** Shows another alternative; remembered. `nodeId` is the one to show. */
  select: { args: NodeArgs; result: null };
  /** Leaves a tombstone; children move to the nearest living ancestor. */
  'delete-node': { args: NodeArgs; result: null };
  'delete-conversation': { args: { conversationId: string }; result: null };
  'restore-conversation': { args: { conversationId: string }; result: null };
  /** Live events of one conversation from now on; the snapshot is null while nothing runs there. */
  watch: { args: { conversationId: string }; result: RunSnapshot | null };
  unwatch: { args: { conversationId: string }; result: null };
  /** Ids of all conversations that are running in any tab. */
  running: { args: Record<string, never>; result: readonly string[] };
  /** Asks the account's server. `refresh: false` may answer from the last list. */
  'list-models': { args: { accountId: string; refresh: boolean }; result: readonly ModelInfo[] };
  /** `key: null` uses the stored key of `account.id`, if there is one. */
  'test-connection': { args: { account: Account; key: string | null }; result: ConnectionReport };
  capabilities: { args: ModelReference; result: ModelCapabilities };
  /** Models on this device; answered by the worker that has the engine. */
  'local-models': { args: { action: LocalModelAction }; result: LocalModelsView };
  /** Brings in a GGUF file; resolves once it is stored. Throws `model-file-invalid`, `storage-quota`. */
  'add-model-file': { args: { file: BlobLike; name: string }; result: LocalModelsView };
  /** One answer for another tab: its events go out over the channel that `streamId` names, `finish` last. Between workers only. */
  'local-generate': { args: { streamId: string; request: LocalRequest }; result: null };
  /** A picture that a message names, fetched because the user asked for it. */
  'load-image': { args: { url: string }; result: BlobLike };
  export: { args: { includeKeys: boolean }; result: BlobLike };
  import: { args: { file: BlobLike }; result: ImportReport };
}

/** A `Blob`. `core` knows no browser types; both sides narrow it with `instanceof`. */
export interface BlobLike {
  readonly size: number;
}

/** A `ReadableStream` of bytes, handed over with the message. */
export interface StreamLike {
  readonly locked: boolean;
}

/** What the browser's own model takes; the last one is a user's. */
export interface BrowserModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export type BrowserModelPiece =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'error'; readonly error: ErrorData } | { readonly type: 'end' };

export interface NodeArgs {
  readonly conversationId: string;
  readonly nodeId: string;
}

export interface CallArgs extends NodeArgs {
  /** Our own id of the call. */
  readonly callId: string;
}

export interface SendResult {
  readonly conversationId: string;
  /** The user's node, or the node acted on. */
  readonly nodeId: string;
  /** The node that is being written, if the turn asks for an answer. */
  readonly answerId: string | null;
}

/** What the worker tells the page without being asked. */
export interface Events {
  /** The worker holds its lock and can be asked anything. */
  ready: { readonly workerId: string };
  'run-start': RunSnapshot;
  'run-delta': RunDelta;
  'run-end': RunEnd;
  /** Something about the models on this device changed; a few times a second at most while one is downloaded. */
  'local-models': LocalModelsView;
  /** A failure that no command is waiting for. */
  notice: { readonly error: ErrorData; readonly conversationId: string | null };
}

/** What only a page can do for the worker. */
export interface PageCalls {
  /** A request that must come from the window (local servers behind a permission). */
  'window-fetch': {
    args: { url: string; method: string; headers: Record<string, string>; body: string | null; targetAddressSpace: 'loopback' | 'local' };
    result: { status: number; headers: Record<string, string>; body: StreamLike | null };
  };
  /**
   * One answer of the browser's own model, which only a window can ask. The stream has `BrowserModelPiece`s, the last one `end` or an error:
   * a stream that fails on its way through a port would lose the code. Cancelling the stream ends the answer. Throws `model-load-failed`,
   * `context-overflow`.
   */
  'browser-model': { args: { messages: readonly BrowserModelMessage[] }; result: { body: StreamLike } };
}

export interface Catalog {
  /** Tools of the app, in the order in which models read them. */
  readonly tools: readonly ToolDescription[];
  readonly providers: readonly ProviderDescription[];
  readonly presets: readonly Preset[];
}

export interface ProviderDescription {
  readonly id: string;
  readonly name: string;
}

/** A known place to connect to. Its name is a proper name and is not translated. */
export interface Preset {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly key: 'required' | 'optional' | 'none';
  readonly local: boolean;
  /** Where a key is made; opened only by a click. */
  readonly keyUrl?: string;
}

export interface ConnectionReport {
  readonly ok: boolean;
  readonly models: readonly ModelInfo[];
  /** Why it failed, with the one cause that fits best. */
  readonly error?: ErrorData;
  readonly durationMs: number;
}

export interface ImportReport {
  readonly conversations: number;
  readonly nodes: number;
  readonly files: number;
  readonly accounts: number;
  /** Lines that were there already, unchanged. */
  readonly unchanged: number;
  readonly skipped: readonly { readonly line: number; readonly reason: 'damaged' | 'unknown' }[];
}
