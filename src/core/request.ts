import type { ReasoningLevel, Sampling } from './account';
import type { Json, JsonObject } from './errors';

/**
 * A part of a message on its way to one provider and model. `opaque` is what that same provider and model sent with the part; data of
 * others has been taken out before.
 */
export type RequestPart =
  | { readonly type: 'text'; readonly text: string; readonly opaque?: Json }
  | { readonly type: 'image'; readonly mimeType: string; readonly base64: string }
  /** A PDF or a sound, for protocols that take them. */
  | {
      readonly type: 'file';
      readonly kind: 'audio' | 'document';
      readonly mimeType: string;
      readonly name: string;
      readonly base64: string;
    }
  /** Only in assistant messages. Without `opaque` it is plain text that few protocols take. */
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque?: Json }
  /** A call with its result, always both: a call without one gets a synthetic result before it comes here. Only in assistant messages. */
  | {
      readonly type: 'tool-call';
      /** Unique in the request. */
      readonly callId: string;
      /** As the model knew it; may repeat, may be empty. */
      readonly wireId: string;
      readonly name: string;
      readonly argumentsText: string;
      /**
       * Names the step in which it was made. A call of another step than the one before it was made after that one's result, and so it has to stand on
       * the wire. Absent: the same as the one before it.
       */
      readonly step?: string;
      readonly opaque?: Json;
      readonly result: {
        readonly text: string;
        readonly isError: boolean;
        readonly images: readonly { readonly mimeType: string; readonly base64: string }[];
      };
    }
  /** What the provider's own server did; `opaque` is its raw form. Only in assistant messages. */
  | { readonly type: 'hosted'; readonly id: string; readonly name: string; readonly opaque: Json };

export interface RequestMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly RequestPart[];
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** `auto`: the model decides. `required`: it must call one. A name: it must call that one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** One model step, in no protocol's words. Providers turn it into a body; nothing here is stored. */
export interface ModelRequest {
  readonly modelId: string;
  /** Blocks of the system message, in order; joined by blank lines on the wire. */
  readonly system: readonly string[];
  readonly history: readonly RequestMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  readonly sampling: Sampling;
  readonly reasoning: ReasoningLevel;
  readonly stream: boolean;
  /** Lets the provider's server search the web where the model and host can. */
  readonly hostedSearch: boolean;
  /** Lets the provider keep the answer on its side. */
  readonly store: boolean;
  /** The same for all requests of a conversation: finds the prefix in the provider's cache. */
  readonly cacheKey: string;
}
