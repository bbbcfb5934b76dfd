import Dexie, { type EntityTable, type Table } from 'dexie';
import type { Account, ModelInfo } from '../core/account';
import type { Clock } from '../core/clock';
import type { Draft } from '../core/draft';
import type { ErrorData } from '../core/errors';
import type { LocalModel } from '../core/local-model';
import type { FinishReason, ModelReference, Part, QuestionDeadline, StepContent, Usage } from '../core/node';
import type { LedgerEntry } from '../core/outbound';
import type { ChatControls, ToolPolicies } from '../core/tool';
import { applyMigrations } from './migrations';

/** One sealable body a row: keys and indexes never hold a user's words, everything that does is in here. */
export interface Sealable<T> {
  body: T;
}

export interface ConversationRow extends Sealable<{ readonly assistantId: string }> {
  id: string;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms of the last message; the list's order. */
  updatedAt: number;
  /** 1 while pinned, so that it can be indexed. */
  pinned: 0 | 1;
  /** Epoch ms of the deletion; 0 while it lives. Rows are purged once an undo is no longer offered. */
  deletedAt: number;
  clock: Clock;
}

/**
 * 256 nodes of a conversation, column by column. Ids are 16 bytes each; `parents` are ordinals within the conversation, −1 at a root;
 * `roles` and `statuses` are indexes into the lists of `core`.
 */
export interface StructureBlockRow {
  conversationId: string;
  block: number;
  count: number;
  ids: Uint8Array<ArrayBuffer>;
  parents: Int32Array<ArrayBuffer>;
  roles: Uint8Array<ArrayBuffer>;
  statuses: Uint8Array<ArrayBuffer>;
  tokens: Uint32Array<ArrayBuffer>;
  revisions: Uint32Array<ArrayBuffer>;
  createdAt: Float64Array<ArrayBuffer>;
}

export interface ContentRow extends Sealable<StepContent> {
  nodeId: string;
  step: number;
  conversationId: string;
}

export const SIDE_FIELDS = ['title', 'selection', 'model', 'pinned', 'controls', 'tool-policies'] as const;
export type SideField = (typeof SIDE_FIELDS)[number];

/** Values of the side fields. A title remembers who made it: a generated one never replaces the user's. */
export interface SideValues {
  title: { readonly text: string; readonly by: 'user' | 'local' | 'model' };
  /** Id of the chosen child. */
  selection: string;
  model: ModelReference;
  pinned: boolean;
  controls: ChatControls;
  /** What the user decided about tools for this conversation. */
  'tool-policies': { readonly tools: ToolPolicies };
}

/** A field that changes after its target is finished. The later clock wins. */
export interface SideRow extends Sealable<{ readonly value: SideValues[SideField] }> {
  /** A node's or a conversation's id; for the selection at the root, the conversation's. */
  targetId: string;
  field: SideField;
  conversationId: string;
  clock: Clock;
}

/** A running answer, saved about once a second. No live query reads this table. */
export interface RunRow extends Sealable<{
  readonly step: number;
  readonly parts: readonly Part[];
  readonly model: ModelReference;
  readonly usage?: Usage;
  readonly startedAt: number;
  readonly firstOutputAt?: number;
  /** The model has said everything of this step; its calls are being run. */
  readonly finishReason?: FinishReason;
}> {
  conversationId: string;
  runId: string;
  nodeId: string;
  /** Epoch ms. */
  savedAt: number;
}

/**
 * One call that waits for the user, so that it is found without reading conversations: for the list, and for the clocks of questions. The
 * node's content says the same; this goes when its node no longer awaits.
 */
export interface WaitRow {
  callId: string;
  conversationId: string;
  nodeId: string;
  isQuestion: boolean;
  deadline?: QuestionDeadline;
}

export interface TombstoneRow {
  id: string;
  kind: 'node' | 'conversation';
  parentId: string | null;
  conversationId: string;
  deletedAt: number;
  clock: Clock;
}

export interface BlobRow extends Sealable<{ readonly bytes: ArrayBuffer }> {
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
  mimeType: string;
  sizeBytes: number;
  createdAt: number;
}

/** One row for each use of a blob: a count can drift, rows can't. */
export interface BlobReferenceRow {
  hash: string;
  /** A node's id, or `draft:` and the draft's key. */
  ownerId: string;
  conversationId: string;
}

/** What changed, for the consumers that follow: written in the transaction of the change itself. */
export interface OutboxRow {
  seq?: number;
  entity: 'conversation' | 'node' | 'side' | 'blob' | 'account' | 'setting';
  id: string;
  conversationId: string;
  change: 'put' | 'delete';
  /** Epoch ms of the change. */
  at: number;
}

export interface DraftRow extends Sealable<Draft> {
  /** The conversation's id, or `new`. */
  key: string;
  updatedAt: number;
}

export interface SettingRow extends Sealable<{ readonly value: unknown }> {
  key: string;
  clock: Clock;
}

export interface AccountRow extends Sealable<Omit<Account, 'id' | 'hasKey'>> {
  id: string;
  position: number;
  clock: Clock;
  /** AES-GCM under the wrapping key of this browser profile; absent where no key was given. */
  wrappedKey?: { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer };
}

export interface KeyRow {
  id: 'accounts';
  /** Not extractable: it can be used here, never read. */
  key: CryptoKey;
}

export interface ModelListRow extends Sealable<readonly ModelInfo[]> {
  accountId: string;
  fetchedAt: number;
}

/** Small facts about this database itself. */
export interface MetaRow {
  key: 'device' | 'persist-asked' | 'outbox-cursor';
  value: string | number | boolean;
}

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
  /** What its download failed with; null while it goes on, and where the user paused it. */
  readonly error: ErrorData | null;
  readonly tokensPerSecond: number | null;
  /** A load has begun and not ended: where no engine lives, it died in it. */
  readonly isLoading: boolean;
}

export interface LocalModelRow extends Sealable<LocalModelRecord> {
  id: string;
}

export type LedgerRow = Omit<LedgerEntry, 'id'> & { id?: number };

export const DATABASE_NAME = 'jackdaw';

/** The one database. Opened through `open.ts`, which turns its failures into codes. */
export class JackdawDatabase extends Dexie {
  conversations!: EntityTable<ConversationRow, 'id'>;
  structure!: Table<StructureBlockRow, [string, number]>;
  content!: Table<ContentRow, [string, number]>;
  sides!: Table<SideRow, [string, string]>;
  runs!: EntityTable<RunRow, 'conversationId'>;
  waits!: EntityTable<WaitRow, 'callId'>;
  tombstones!: EntityTable<TombstoneRow, 'id'>;
  blobs!: EntityTable<BlobRow, 'hash'>;
  blobReferences!: Table<BlobReferenceRow, [string, string]>;
  outbox!: EntityTable<OutboxRow, 'seq'>;
  drafts!: EntityTable<DraftRow, 'key'>;
  settings!: EntityTable<SettingRow, 'key'>;
  accounts!: EntityTable<AccountRow, 'id'>;
  keys!: EntityTable<KeyRow, 'id'>;
  modelLists!: EntityTable<ModelListRow, 'accountId'>;
  meta!: EntityTable<MetaRow, 'key'>;
  ledger!: EntityTable<LedgerRow, 'id'>;
  localModels!: EntityTable<LocalModelRow, 'id'>;

  constructor(name: string = DATABASE_NAME) {
    super(name, { autoOpen: false });
    applyMigrations(this);
  }
}
