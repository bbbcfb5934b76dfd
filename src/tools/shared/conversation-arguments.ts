import * as v from 'valibot';
import type { ConversationScope } from '../../storage/conversation-lookup';
import type { TurnFacts } from '../tool';

/** An optional whole number within bounds, told to the model with its usual value. */
export function wholeNumber(bounds: { readonly min: number; readonly max?: number; readonly usual: number }, description: string) {
  const { min, max = Number.MAX_SAFE_INTEGER, usual } = bounds;
  return v.optional(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max), v.description(description)), usual);
}

/** Whose conversations a turn's tools may look at. */
export function scopeOf({ assistantId, conversationId }: TurnFacts): ConversationScope {
  return { assistantId, exceptId: conversationId };
}

/** A moment (epoch ms) as models read it. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
