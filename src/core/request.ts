import type { ReasoningLevel, Sampling } from './account';
import type { JsonObject } from './errors';

export type RequestPart =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'image'; readonly mimeType: string; readonly base64: string };

export interface RequestMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly RequestPart[];
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** One model step, in no protocol's words. Providers turn it into a body; nothing here is stored. */
export interface ModelRequest {
  readonly modelId: string;
  /** Blocks of the system message, in order; joined by blank lines on the wire. */
  readonly system: readonly string[];
  readonly history: readonly RequestMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly sampling: Sampling;
  readonly reasoning: ReasoningLevel;
  readonly stream: boolean;
}
