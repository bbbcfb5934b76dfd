import type { RequestMessage, RequestPart } from '../../core/request';
import { parseJson } from '../../outbound/json';

export type CallPart = Extract<RequestPart, { type: 'tool-call' }>;
type ReasoningRequestPart = Extract<RequestPart, { type: 'reasoning' }>;

/** What the assistant said and thought, and the calls that this ended in. */
export interface StepGroup {
  readonly content: readonly RequestPart[];
  readonly reasoning: readonly ReasoningRequestPart[];
  readonly calls: readonly CallPart[];
}

/** Whether a call was made in a later step than the one before it. */
export function isLaterStep(call: CallPart, before: CallPart | undefined): boolean {
  return before !== undefined && call.step !== undefined && call.step !== before.step;
}

/** The steps of a turn: what follows calls is a new one, and so are calls of another step. */
export function groupSteps(parts: readonly RequestPart[]): readonly StepGroup[] {
  const groups: { content: RequestPart[]; reasoning: ReasoningRequestPart[]; calls: CallPart[] }[] = [];
  for (const part of parts) {
    let group = groups.at(-1);
    const isNext = part.type === 'tool-call' ? isLaterStep(part, group?.calls.at(-1)) : group !== undefined && group.calls.length > 0;
    if (group === undefined || isNext) {
      group = { content: [], reasoning: [], calls: [] };
      groups.push(group);
    }
    if (part.type === 'tool-call') group.calls.push(part);
    else if (part.type === 'reasoning') group.reasoning.push(part);
    else group.content.push(part);
  }
  return groups;
}

/** A message without its blank texts. */
export function withoutBlanks(message: RequestMessage): RequestMessage {
  return { ...message, parts: message.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '') };
}

/** Messages with neighbours of the same role made one: several servers refuse two in a row. */
export function mergeNeighbours(messages: readonly RequestMessage[]): readonly RequestMessage[] {
  const merged: RequestMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) merged[merged.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    else merged.push(message);
  }
  return merged;
}

/** Arguments as they came, byte by byte; an empty object where they are no JSON, which servers refuse to read. */
export function callArguments(argumentsText: string): string {
  return parseJson(argumentsText) === undefined ? '{}' : argumentsText;
}

/** What a model reads in the place of a file that the server can't take. */
export function noteOf(part: Extract<RequestPart, { type: 'file' }>): string {
  return `[${part.kind === 'audio' ? 'Recording' : 'Document'} “${part.name}” left out: this server does not take it.]`;
}

/** What a model that can't see reads in the place of a result's pictures. */
export function picturesNote(count: number): string {
  return count === 1
    ? '[A picture is left out: this model cannot see it.]'
    : `[${count} pictures are left out: this model cannot see them.]`;
}
