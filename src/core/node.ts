import type { ErrorData, Json } from './errors';
import type { Question } from './tool';

/** The order is stored: new roles are added at the end. */
export const ROLES = ['system', 'user', 'assistant'] as const;
export type Role = (typeof ROLES)[number];

/**
 * `running`: a worker is writing it. `interrupted`: it was stopped, cut or killed and can be continued. `failed`: it ended in an error.
 * `deleted`: only the entry is left, so that ordinals never move. `awaiting`: nothing runs; it goes on once the user has decided. The order is
 * stored: new statuses are added at the end.
 */
export const NODE_STATUSES = ['complete', 'running', 'interrupted', 'failed', 'deleted', 'awaiting'] as const;
export type NodeStatus = (typeof NODE_STATUSES)[number];

/** What a provider wants back unchanged with the next request: signatures, encrypted items, raw blocks. Sent back to its maker only. */
export interface OpaqueData {
  /** Id of the provider that sent it. */
  readonly provider: string;
  readonly modelId: string;
  readonly data: Json;
}

export interface TextPart {
  readonly type: 'text';
  readonly step: number;
  readonly text: string;
  readonly opaque?: OpaqueData;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly step: number;
  readonly text: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Epoch ms; absent while the model is still thinking. */
  readonly endedAt?: number;
  readonly opaque?: OpaqueData;
}

/** The provider declined to answer and said so in its own field. */
export interface RefusalPart {
  readonly type: 'refusal';
  readonly step: number;
  readonly text: string;
}

/** Bytes live in the blob store under their SHA-256; the part only names them. */
export interface MediaPart {
  readonly type: 'media';
  readonly step: number;
  readonly kind: 'image' | 'audio' | 'document';
  /** SHA-256 of the bytes, hexadecimal. */
  readonly blob: string;
  readonly mimeType: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/**
 * A call that the model asked for. Approval and execution are two fields: what the user decided, and what happened. It waits for the user as
 * long as it is `pending` and `open`; whatever ends the wait without a decision leaves it `pending` and `interrupted`.
 */
export interface ToolPart {
  readonly type: 'tool';
  readonly step: number;
  /** Our own id, unique in the database; the wire's id may repeat from answer to answer. */
  readonly callId: string;
  readonly wireId: string;
  readonly name: string;
  /** As the model wrote them, byte for byte. */
  readonly argumentsText: string;
  /** The user's own version, given with the approval: this is what runs. */
  readonly editedArguments?: string;
  readonly approval: 'auto' | 'pending' | 'approved' | 'denied' | 'answered';
  readonly execution: 'open' | 'running' | 'done' | 'failed' | 'interrupted';
  /** Why it was denied, in the user's words. */
  readonly reason?: string;
  /** What it asks the user, checked; the answer is its result. Absent: it asks nothing. */
  readonly questions?: readonly Question[];
  /** Of a question: when it is answered by itself. Absent: never. */
  readonly deadline?: QuestionDeadline;
  /** Epoch ms at which the tool began. */
  readonly startedAt?: number;
  /** Epoch ms at which it ended. */
  readonly endedAt?: number;
  /** What the tool is doing, in its own words; only while it runs. */
  readonly progress?: string;
  readonly failure?: ToolFailure;
  /** What came of it; absent until it ran. */
  readonly result?: ToolResult;
  readonly opaque?: OpaqueData;
}

/** `at`: epoch ms. `paused`: the user stopped the clock with so many milliseconds left. */
export type QuestionDeadline = { readonly type: 'at'; readonly at: number } | { readonly type: 'paused'; readonly leftMs: number };

export interface ToolResult {
  /** What the model reads. */
  readonly text: string;
  /** Files that the tool made or shows. */
  readonly media: readonly MediaPart[];
  /** What its card is drawn from; never sent. */
  readonly data?: Json;
  /** The whole output where `text` is only its beginning. */
  readonly stored?: StoredOutput;
}

/** An output that is too long for the model, kept as a text in the blob store. */
export interface StoredOutput {
  /** SHA-256 of the UTF-8 bytes, hexadecimal. */
  readonly blob: string;
  /** How the model names it: `/tool_outputs/` and the call's id. */
  readonly path: string;
  /** UTF-16 units. */
  readonly characters: number;
}

/** Why a call failed. The card says it in the user's language; the model reads a sentence of its own. */
export const TOOL_FAILURES = [
  'unknown-tool',
  'arguments-truncated',
  'arguments-invalid',
  'denied',
  'unanswered',
  'step-limit',
  'timeout',
  'refused',
  'failed',
] as const;
export type ToolFailure = (typeof TOOL_FAILURES)[number];

/** A call that waits for the user. */
export type PendingCall = ToolPart & { readonly approval: 'pending'; readonly execution: 'open' };

/** Whether a call waits for the user. */
export function isPending(part: Part): part is PendingCall {
  return part.type === 'tool' && part.approval === 'pending' && part.execution === 'open';
}

/** Whether a call is still to be run, or to be decided about. */
export function isOpenCall(part: Part): part is ToolPart & { readonly execution: 'open' } {
  return part.type === 'tool' && part.execution === 'open';
}

/** A source that the provider itself named for this answer. */
export interface CitationPart {
  readonly type: 'citation';
  readonly step: number;
  /** http or https. */
  readonly url: string;
  readonly title: string;
  readonly citedText?: string;
  /** Characters of the step's last text part that stood there when it was named: where its mark belongs. */
  readonly textOffset: number;
}

/** Something that the provider's own server did for the answer: a web search, code that it ran. Never run by us. */
export interface HostedPart {
  readonly type: 'hosted';
  readonly step: number;
  readonly id: string;
  /** `web_search`, `code_execution`, … as the provider calls it. */
  readonly name: string;
  /** Only ever moves forward. */
  readonly status: 'running' | 'done' | 'failed';
  readonly queries: readonly string[];
  readonly sources: readonly { readonly url: string; readonly title: string }[];
  readonly opaque?: OpaqueData;
}

export type Part = TextPart | ReasoningPart | RefusalPart | MediaPart | ToolPart | CitationPart | HostedPart;

/** Token counts as the provider reported them. An absent count is unknown, not zero. */
export interface Usage {
  /** All prompt tokens, cached ones among them. */
  readonly inputTokens?: number;
  /** All generated tokens, reasoning among them. */
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedTokens?: number;
  /** Tokens that were written to the provider's cache by this request. */
  readonly cacheWriteTokens?: number;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'pause' | 'error' | 'other';

export interface ModelReference {
  readonly accountId: string;
  readonly modelId: string;
}

/** One model step of a node (a user's message is step 0): what one content row holds. */
export interface StepContent {
  readonly step: number;
  readonly parts: readonly Part[];
  readonly model?: ModelReference;
  readonly usage?: Usage;
  /** Epoch ms of the request. */
  readonly startedAt?: number;
  /** Epoch ms of the first effective output. */
  readonly firstOutputAt?: number;
  /** Epoch ms of the end. */
  readonly endedAt?: number;
  readonly finishReason?: FinishReason;
  /** Why a step ended in `failed` or `interrupted`. */
  readonly error?: ErrorData;
}

/** A message as the thread reads it: its place in the tree and its content. */
export interface MessageNode {
  readonly id: string;
  readonly conversationId: string;
  /** The nearest living ancestor; null at a root. */
  readonly parentId: string | null;
  readonly role: Role;
  readonly status: NodeStatus;
  readonly revision: number;
  readonly createdAt: number;
  readonly tokens: number;
  readonly steps: readonly StepContent[];
  /** Living alternatives at this place, oldest first, this node among them. */
  readonly siblings: readonly string[];
}

/** All parts of a node in order, over its steps. */
export function partsOf(node: Pick<MessageNode, 'steps'>): readonly Part[] {
  return node.steps.flatMap((step) => step.parts);
}

/** The visible text of parts: text parts joined by blank lines, everything else left out. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n');
}
