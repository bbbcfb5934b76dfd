import type { FinishReason, Part, ReasoningPart, Usage } from './node';

/** What a provider yields. The last event of a stream is always `finish`; a stream without one was cut and throws instead. */
export type StreamEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'refusal-delta'; readonly text: string }
  | { readonly type: 'tool-call-start'; readonly callId: string; readonly wireId: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly callId: string; readonly argumentsText: string }
  /** The newest count wins; counts are never added up. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly rawReason: string | null };

export interface ReduceContext {
  readonly step: number;
  /** Epoch ms at which the event arrived. */
  readonly at: number;
}

/** The parts after one event. Deltas join the part they continue; any other output closes an open reasoning part. */
export function reduce(parts: readonly Part[], event: StreamEvent, context: ReduceContext): readonly Part[] {
  switch (event.type) {
    case 'text-delta':
    case 'refusal-delta': {
      const type = event.type === 'text-delta' ? 'text' : 'refusal';
      const last = parts.at(-1);
      if (last?.type === type) return [...parts.slice(0, -1), { ...last, text: last.text + event.text }];
      return [...closeReasoning(parts, context.at), { type, step: context.step, text: event.text }];
    }
    case 'reasoning-delta': {
      const last = parts.at(-1);
      if (last?.type === 'reasoning' && last.endedAt === undefined) {
        return [...parts.slice(0, -1), { ...last, text: last.text + event.text }];
      }
      return [...parts, { type: 'reasoning', step: context.step, text: event.text, startedAt: context.at }];
    }
    case 'tool-call-start':
      return [
        ...closeReasoning(parts, context.at),
        {
          type: 'tool',
          step: context.step,
          callId: event.callId,
          wireId: event.wireId,
          name: event.name,
          argumentsText: '',
          approval: 'auto',
          execution: 'open',
        },
      ];
    case 'tool-call-delta':
      return parts.map((part) =>
        part.type === 'tool' && part.callId === event.callId ? { ...part, argumentsText: part.argumentsText + event.argumentsText } : part,
      );
    case 'usage':
      return parts;
    case 'finish':
      return closeReasoning(parts, context.at);
  }
}

/** Ends every reasoning part that is still open. Returns the same array when there is none. */
export function closeReasoning(parts: readonly Part[], at: number): readonly Part[] {
  if (!parts.some(isOpenReasoning)) return parts;
  return parts.map((part) => (isOpenReasoning(part) ? { ...part, endedAt: at } : part));
}

function isOpenReasoning(part: Part): part is ReasoningPart {
  return part.type === 'reasoning' && part.endedAt === undefined;
}

/** Output that a user would see or pay for: a retry may start clean only before it. */
export function isEffective(event: StreamEvent): boolean {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'refusal-delta':
      return event.text !== '';
    case 'tool-call-start':
    case 'tool-call-delta':
      return true;
    case 'usage':
    case 'finish':
      return false;
  }
}
