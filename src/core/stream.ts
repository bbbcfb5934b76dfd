import type { Json } from './errors';
import type { LocalWait } from './local-model';
import type { FinishReason, HostedPart, MediaPart, OpaqueData, Part, ReasoningPart, TextPart, Usage } from './node';
import { sentenceEnd } from './sentences';

/** What a provider yields. The last event of a stream is always `finish`; a stream without one was cut and throws instead. */
export type StreamEvent =
  /** Why nothing has come yet, told by a model on this device. */
  | { readonly type: 'wait'; readonly wait: LocalWait }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'refusal-delta'; readonly text: string }
  /** The part that is being written is complete: a delta of the same kind begins a new one. */
  | { readonly type: 'part-end' }
  /** Belongs to the last part of its kind in this step; a reasoning part without text is begun where there is none. The newest wins. */
  | { readonly type: 'reasoning-opaque'; readonly data: Json }
  | { readonly type: 'text-opaque'; readonly data: Json }
  | { readonly type: 'tool-call-opaque'; readonly callId: string; readonly data: Json }
  | { readonly type: 'tool-call-start'; readonly callId: string; readonly wireId: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly callId: string; readonly argumentsText: string }
  /** A source of the answer; the same address and words a second time are left out. */
  | { readonly type: 'citation'; readonly url: string; readonly title: string; readonly citedText?: string }
  /** A picture in the answer, whole. The generation stores its bytes and goes on with `media`. */
  | { readonly type: 'image'; readonly mimeType: string; readonly base64: string }
  | { readonly type: 'media'; readonly media: Omit<MediaPart, 'type' | 'step'> }
  /** Begins or moves on something that the provider's server does; addressed by `id`, lists are joined, the status never goes back. */
  | {
      readonly type: 'hosted';
      readonly id: string;
      readonly name: string;
      readonly status: HostedPart['status'];
      readonly queries?: readonly string[];
      readonly sources?: HostedPart['sources'];
      readonly data?: Json;
      /** Told beside a text that goes on: stands behind the sentence in which it came. */
      readonly isAside?: true;
    }
  /** The newest count wins; counts are never added up. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly rawReason: string | null };

export interface ReduceContext {
  readonly step: number;
  /** Epoch ms at which the event arrived. */
  readonly at: number;
  /** Who sends: opaque data goes back to nobody else. */
  readonly origin: Omit<OpaqueData, 'data'>;
}

/** A part that `part-end` closed; new deltas of its kind don't join it. Known by identity and never stored. */
const closed = new WeakSet<Part>();
/** What was told in the middle of a text, which may have to be finished before it. Like `closed`. */
const asides = new WeakSet<Part>();

/** The parts after one event. Deltas join the part they continue; any other output closes an open reasoning part. */
export function reduce(parts: readonly Part[], event: StreamEvent, context: ReduceContext): readonly Part[] {
  switch (event.type) {
    case 'text-delta':
    case 'refusal-delta': {
      const type = event.type === 'text-delta' ? 'text' : 'refusal';
      const interrupted = type === 'text' ? interruptedText(parts) : undefined;
      if (interrupted !== undefined) return finishSentence(parts, interrupted, event.text);
      // Sources named in the middle of a sentence don't break it.
      const index = parts.findLastIndex((part) => part.type !== 'citation');
      const last = parts[index];
      if (last?.type === type && !closed.has(last)) return parts.with(index, { ...last, text: last.text + event.text });
      return [...closeReasoning(parts, context.at), { type, step: context.step, text: event.text }];
    }
    case 'reasoning-delta': {
      const last = parts.at(-1);
      if (last?.type === 'reasoning' && last.endedAt === undefined && !closed.has(last)) {
        return [...parts.slice(0, -1), { ...last, text: last.text + event.text }];
      }
      return [...closeReasoning(parts, context.at), { type: 'reasoning', step: context.step, text: event.text, startedAt: context.at }];
    }
    case 'part-end': {
      const next = closeReasoning(parts, context.at);
      const last = next.findLast((part) => part.type !== 'citation');
      if (last !== undefined) closed.add(last);
      return next;
    }
    case 'reasoning-opaque':
    case 'text-opaque':
      return attach(parts, event, context);
    case 'tool-call-opaque':
      return parts.map((part) =>
        part.type === 'tool' && part.callId === event.callId ? { ...part, opaque: { ...context.origin, data: event.data } } : part,
      );
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
    case 'citation': {
      const { type, url, title, citedText } = event;
      if (parts.some((part) => part.type === 'citation' && part.url === url && part.citedText === citedText)) return parts;
      const text = parts.findLast((part) => part.type === 'text');
      const textOffset = text?.type === 'text' ? text.text.length : 0;
      return [...parts, { type, step: context.step, url, title, ...(citedText === undefined ? {} : { citedText }), textOffset }];
    }
    case 'media':
      return [...closeReasoning(parts, context.at), { type: 'media', step: context.step, ...event.media }];
    case 'hosted':
      return upsertHosted(parts, event, context);
    case 'wait':
    case 'image':
    case 'usage':
      return parts;
    case 'finish':
      return closeHosted(closeReasoning(parts, context.at), event.reason);
  }
}

/** The open text that only asides and sources stand behind. */
function interruptedText(parts: readonly Part[]): TextPart | undefined {
  const last = parts.findLast((part) => part.type !== 'citation' && !asides.has(part));
  const isInterrupted = parts.findLast((part) => part.type !== 'citation') !== last;
  return isInterrupted && last?.type === 'text' && !closed.has(last) ? last : undefined;
}

/** Gives a text what belongs to its sentence; the rest begins a new text behind what interrupted it. */
function finishSentence(parts: readonly Part[], before: TextPart, text: string): readonly Part[] {
  const whole = before.text + text;
  const end = sentenceEnd(whole, before.text.length) ?? whole.length;
  const finished = { ...before, text: whole.slice(0, end) };
  const grown = parts.with(parts.lastIndexOf(before), finished);
  if (end === whole.length) return grown;
  closed.add(finished);
  return [...grown, { type: 'text', step: before.step, text: whole.slice(end) }];
}

/** Ends everything hosted that is still said to run; a turn that only pauses goes on with it. */
function closeHosted(parts: readonly Part[], reason: FinishReason): readonly Part[] {
  const status = reason === 'error' ? 'failed' : 'done';
  if (reason === 'pause' || !parts.some((part) => part.type === 'hosted' && part.status === 'running')) return parts;
  return parts.map((part) => (part.type === 'hosted' && part.status === 'running' ? { ...part, status } : part));
}

/** Ends every reasoning part that is still open. Returns the same array when there is none. */
export function closeReasoning(parts: readonly Part[], at: number): readonly Part[] {
  if (!parts.some(isOpenReasoning)) return parts;
  return parts.map((part) => (isOpenReasoning(part) ? { ...part, endedAt: at } : part));
}

function isOpenReasoning(part: Part): part is ReasoningPart {
  return part.type === 'reasoning' && part.endedAt === undefined;
}

function attach(
  parts: readonly Part[],
  event: Extract<StreamEvent, { type: 'reasoning-opaque' | 'text-opaque' }>,
  context: ReduceContext,
): readonly Part[] {
  const type = event.type === 'reasoning-opaque' ? 'reasoning' : 'text';
  const opaque: OpaqueData = { ...context.origin, data: event.data };
  const index = parts.findLastIndex((part) => part.type === type && part.step === context.step);
  const part = parts[index];
  if (part === undefined || closed.has(part)) {
    const { step, at } = context;
    return [...parts, type === 'text' ? { type, step, text: '', opaque } : { type, step, text: '', startedAt: at, opaque }];
  }
  return parts.map((other) => (other === part && (other.type === 'text' || other.type === 'reasoning') ? { ...other, opaque } : other));
}

const STATUS_ORDER: readonly HostedPart['status'][] = ['running', 'done', 'failed'];

function upsertHosted(parts: readonly Part[], event: Extract<StreamEvent, { type: 'hosted' }>, context: ReduceContext): readonly Part[] {
  const old = parts.find((part): part is HostedPart => part.type === 'hosted' && part.id === event.id);
  const opaque = event.data === undefined ? old?.opaque : { ...context.origin, data: event.data };
  const next: HostedPart = {
    type: 'hosted',
    step: context.step,
    id: event.id,
    name: event.name === '' ? (old?.name ?? '') : event.name,
    status: later(old?.status ?? 'running', event.status),
    queries: [...new Set([...(old?.queries ?? []), ...(event.queries ?? [])])],
    sources: distinct([...(old?.sources ?? []), ...(event.sources ?? [])]),
    ...(opaque === undefined ? {} : { opaque }),
  };
  if (event.isAside === true) asides.add(next);
  return old === undefined ? [...closeReasoning(parts, context.at), next] : parts.map((part) => (part === old ? next : part));
}

function later(a: HostedPart['status'], b: HostedPart['status']): HostedPart['status'] {
  return STATUS_ORDER.indexOf(b) > STATUS_ORDER.indexOf(a) ? b : a;
}

/** One source an address; only the web's. */
function distinct(sources: HostedPart['sources']): HostedPart['sources'] {
  const known = new Map(sources.filter(({ url }) => /^https?:\/\//i.test(url)).map((source) => [source.url, source]));
  return [...known.values()];
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
    case 'citation':
    case 'image':
    case 'media':
    case 'hosted':
      return true;
    case 'part-end':
    case 'reasoning-opaque':
    case 'text-opaque':
    case 'tool-call-opaque':
    case 'wait':
    case 'usage':
    case 'finish':
      return false;
  }
}
