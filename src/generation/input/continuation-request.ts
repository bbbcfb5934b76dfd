import type { InputTransformer } from './transformer';

const INSTRUCTION =
  'Your previous message was cut off. Continue it from exactly where it stopped, in the middle of a word or a code block if need be. Repeat nothing that is already there, add no introduction, and do not show your reasoning.';

/** Asks for the rest of an interrupted answer. The instruction lives in this request only; it is never stored. */
export const continuationRequest: InputTransformer = {
  id: 'continuation-request',
  apply(request, turn) {
    if (turn.continued.length === 0) return request;
    return { ...request, history: [...request.history, { role: 'user', parts: [{ type: 'text', text: INSTRUCTION }] }] };
  },
};
