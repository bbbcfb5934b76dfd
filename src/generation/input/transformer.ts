import type { MediaPart } from '../../core/node';
import type { ModelRequest, RequestPart } from '../../core/request';
import type { TurnContext } from '../turn-context';

/** A message on its way into a request: media is named by its blob until the last transformers have decided about it. */
export interface WorkingMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly (RequestPart | MediaPart | WorkingCall)[];
}

/** A call whose result shows pictures that are still to be loaded. */
export type WorkingCall = Extract<RequestPart, { type: 'tool-call' }> & { readonly pictures?: readonly MediaPart[] };

export type WorkingRequest = Omit<ModelRequest, 'history'> & { readonly history: readonly WorkingMessage[] };

/** Changes a copy made for one request; nothing it does reaches the disk. What it throws ends the turn. */
export interface InputTransformer {
  readonly id: string;
  apply(request: WorkingRequest, turn: TurnContext): WorkingRequest | Promise<WorkingRequest>;
}
