import { AppError } from '../../core/errors';
import type { FinishReason } from '../../core/node';
import { isEffective, type StreamEvent } from '../../core/stream';
import { isList, isRecord, numberAt, recordAt, textAt, type UnknownRecord } from '../../outbound/json';
import type { AnswerDecoder } from './openai-client';
import { createItemReader, type ItemReader } from './responses-items';
import { readResponsesUsage } from './responses-usage';

/** Why an answer is not complete, in the words of the protocol. */
const INCOMPLETE_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
]);

type EventReader = (event: UnknownRecord, place: number, items: ItemReader) => readonly StreamEvent[];

const delta = (event: UnknownRecord): string => textAt(event, 'delta') ?? '';
const index = (event: UnknownRecord, field: string): number => numberAt(event, field) ?? 0;

/** What each event means; one of an unknown type means nothing. */
const EVENTS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ['response.output_item.added', (event, place, items) => items.begin(place, recordAt(event, 'item'))],
  ['response.output_item.done', (event, place, items) => items.finish(place, recordAt(event, 'item'))],
  [
    'response.output_text.delta',
    (event, place, items) => items.text(place, `t${index(event, 'content_index')}`, 'text-delta', delta(event), false),
  ],
  [
    'response.output_text.done',
    (event, place, items) => items.text(place, `t${index(event, 'content_index')}`, 'text-delta', textAt(event, 'text') ?? '', true),
  ],
  [
    'response.refusal.delta',
    (event, place, items) => items.text(place, `r${index(event, 'content_index')}`, 'refusal-delta', delta(event), false),
  ],
  [
    'response.refusal.done',
    (event, place, items) => items.text(place, `r${index(event, 'content_index')}`, 'refusal-delta', textAt(event, 'refusal') ?? '', true),
  ],
  ['response.output_text.annotation.added', (event, place, items) => items.annotation(place, event['annotation'])],
  [
    'response.reasoning_summary_text.delta',
    (event, place, items) => items.thought(place, `s${index(event, 'summary_index')}`, delta(event), false),
  ],
  [
    'response.reasoning_summary_text.done',
    (event, place, items) => items.thought(place, `s${index(event, 'summary_index')}`, textAt(event, 'text') ?? '', true),
  ],
  [
    'response.reasoning_text.delta',
    (event, place, items) => items.thought(place, `c${index(event, 'content_index')}`, delta(event), false),
  ],
  [
    'response.reasoning_text.done',
    (event, place, items) => items.thought(place, `c${index(event, 'content_index')}`, textAt(event, 'text') ?? '', true),
  ],
  ['response.function_call_arguments.delta', (event, place, items) => items.arguments(place, delta(event), false)],
  ['response.function_call_arguments.done', (event, place, items) => items.arguments(place, textAt(event, 'arguments') ?? '', true)],
  ['response.custom_tool_call_input.delta', (event, place, items) => items.arguments(place, delta(event), false)],
  ['response.custom_tool_call_input.done', (event, place, items) => items.arguments(place, textAt(event, 'input') ?? '', true)],
]);

const STATE = /^response\.\w+\.(completed|failed)$/;

/**
 * A decoder for one answer of a Responses server, streamed or whole. Events are matched by the place of their item, never by its id. `end`
 * throws `stream-cut` where nothing said that the answer is complete, and `answer-empty` for an answer without anything in it.
 */
export function createResponsesDecoder(newId: () => string, fromWire: (name: string) => string = (name) => name): AnswerDecoder {
  const items = createItemReader(newId, fromWire);
  let ending: UnknownRecord | undefined;
  let hasOutput = false;

  /** The answer as a whole: at the end of a stream, or instead of one. */
  const readWhole = (response: UnknownRecord): readonly StreamEvent[] => {
    ending = response;
    const output = isList(response['output']) ? response['output'].filter(isRecord) : [];
    // At the end of a stream it only repeats what came, and some servers leave items out of it.
    const told = items.isEmpty() ? output.flatMap((item, place) => [...items.begin(place, item), ...items.finish(place, item)]) : [];
    const usage = readResponsesUsage(recordAt(response, 'usage'));
    return usage === undefined ? told : [...told, { type: 'usage', usage }];
  };

  const read = (chunk: UnknownRecord): readonly StreamEvent[] => {
    const type = textAt(chunk, 'type') ?? '';
    if (chunk['object'] === 'response' || (type === '' && isList(chunk['output']))) return readWhole(chunk);
    if (/^response\.(completed|incomplete|failed|cancelled)$/.test(type)) return readWhole(recordAt(chunk, 'response'));
    const place = numberAt(chunk, 'output_index') ?? 0;
    const state = STATE.exec(type)?.[1];
    if (state !== undefined) return items.state(place, state === 'failed' ? 'failed' : 'done');
    return EVENTS.get(type)?.(chunk, place, items) ?? [];
  };

  return {
    push(chunk) {
      if (!isRecord(chunk)) return [];
      const events = read(chunk);
      hasOutput ||= events.some(isEffective);
      return events;
    },
    failureIn(chunk) {
      if (!isRecord(chunk)) return undefined;
      if (chunk['type'] === 'error') return chunk;
      const response = chunk['object'] === 'response' ? chunk : recordAt(chunk, 'response');
      const hasFailed = response['status'] === 'failed' || response['status'] === 'cancelled';
      return hasFailed ? { error: response['error'] ?? { message: `response ${String(response['status'])}` } } : undefined;
    },
    rest: () => [],
    end(isDone) {
      if (ending === undefined && !isDone) throw new AppError('stream-cut', { retryable: true, details: { cause: 'no-end' } });
      const status = ending === undefined ? null : (textAt(ending, 'status') ?? 'completed');
      const why = textAt(recordAt(ending ?? {}, 'incomplete_details'), 'reason') ?? 'unknown';
      const isIncomplete = status === 'incomplete';
      const known = isIncomplete ? (INCOMPLETE_REASONS.get(why) ?? 'other') : 'stop';
      const reason = items.hasCalls() && !isIncomplete ? 'tool_calls' : known;
      if (!hasOutput && reason === 'stop') throw new AppError('answer-empty');
      return [{ type: 'finish', reason, rawReason: isIncomplete ? `incomplete:${why}` : status }];
    },
  };
}
