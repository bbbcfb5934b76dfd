import { AppError } from '../../core/errors';
import type { FinishReason, Usage } from '../../core/node';
import { isEffective, type StreamEvent } from '../../core/stream';
import { isList, isRecord, numberAt, recordAt, textAt, type UnknownRecord } from '../../outbound/json';
import { createBlockReader } from './anthropic-blocks';
import type { WireNames } from './wire-names';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
  ['pause_turn', 'pause'],
]);

const COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'] as const;

type Count = (typeof COUNTS)[number] | 'thinking_tokens';

export interface MessageDecoder {
  /**
   * Events of one event of the server, or of a whole answer that came instead of a stream. Unknown ones give none. Throws `provider-error`
   * where another answer begins in the middle of this one: neither is whole, and nothing of them may run.
   */
  push(event: UnknownRecord): readonly StreamEvent[];
  /** What is left, then `finish`. Throws `stream-cut` where nothing said that the answer is complete, `answer-empty` for one without anything. */
  end(): readonly StreamEvent[];
}

/** A decoder for one answer of a Messages server. */
export function createMessageDecoder(newId: () => string, names: WireNames): MessageDecoder {
  const blocks = createBlockReader(newId, names);
  const counts = new Map<Count, number>();
  let messageId: string | undefined;
  let rawReason: string | null = null;
  let isDone = false;
  let hasOutput = false;

  const begin = (message: UnknownRecord): readonly StreamEvent[] => {
    const id = textAt(message, 'id') ?? '';
    if (messageId !== undefined && messageId !== id) {
      throw new AppError('provider-error', { retryable: true, details: { reason: 'second-answer' } });
    }
    // A server that says it twice has not begun again.
    if (messageId !== undefined) return [];
    messageId = id;
    return readCounts(message);
  };

  const conclude = (delta: UnknownRecord): readonly StreamEvent[] => {
    rawReason = textAt(delta, 'stop_reason') ?? rawReason;
    const explanation = textAt(recordAt(delta, 'stop_details'), 'explanation');
    return explanation === undefined ? [] : [{ type: 'refusal-delta', text: explanation }];
  };

  const readCounts = (holder: UnknownRecord): readonly StreamEvent[] => {
    if (!isRecord(holder['usage'])) return [];
    const { usage } = holder;
    for (const name of COUNTS) keepCount(counts, name, numberAt(usage, name));
    keepCount(counts, 'thinking_tokens', numberAt(recordAt(usage, 'output_tokens_details'), 'thinking_tokens'));
    return counts.size === 0 ? [] : [{ type: 'usage', usage: usageOf(counts) }];
  };

  const readWhole = (message: UnknownRecord): readonly StreamEvent[] => {
    messageId = textAt(message, 'id') ?? '';
    isDone = true;
    const content = isList(message['content']) ? message['content'].filter(isRecord) : [];
    const output = content.flatMap((block, index) => [...blocks.start(index, block), ...blocks.stop(index)]);
    return [...output, ...conclude(message), ...readCounts(message)];
  };

  const read = (event: UnknownRecord): readonly StreamEvent[] => {
    const index = numberAt(event, 'index') ?? 0;
    switch (event['type']) {
      case 'message_start':
        return begin(recordAt(event, 'message'));
      case 'content_block_start':
        return blocks.start(index, recordAt(event, 'content_block'));
      case 'content_block_delta':
        return blocks.delta(index, recordAt(event, 'delta'));
      case 'content_block_stop':
        return blocks.stop(index);
      case 'message_delta':
        return [...conclude(recordAt(event, 'delta')), ...readCounts(event)];
      case 'message_stop':
        isDone = true;
        return blocks.end();
      case 'message':
        return readWhole(event);
      default:
        return [];
    }
  };

  return {
    push(event) {
      if (isDone) return [];
      const events = read(event);
      hasOutput ||= events.some(isEffective);
      return events;
    },
    end() {
      if (!isDone && rawReason === null) throw new AppError('stream-cut', { retryable: true, details: { cause: 'no-end' } });
      const rest = blocks.end();
      const known = rawReason === null ? 'stop' : (FINISH_REASONS.get(rawReason) ?? 'other');
      // Whether tools are to run is decided by the calls that are there, not by the word.
      const reason = blocks.callCount() > 0 && (known === 'stop' || known === 'other') ? 'tool_calls' : known;
      if (!hasOutput && reason === 'stop') throw new AppError('answer-empty');
      return [...rest, { type: 'finish', reason, rawReason }];
    },
  };
}

/** The newest count wins, but a 0 at the end takes back nothing that was counted before. */
function keepCount(counts: Map<Count, number>, name: Count, value: number | undefined): void {
  if (value !== undefined && (value > 0 || !counts.has(name))) counts.set(name, value);
}

/** The protocol counts what came from the cache and what went into it beside the input. */
function usageOf(counts: ReadonlyMap<Count, number>): Usage {
  const input = counts.get('input_tokens');
  const output = counts.get('output_tokens');
  const read = counts.get('cache_read_input_tokens');
  const written = counts.get('cache_creation_input_tokens') ?? 0;
  const thinking = counts.get('thinking_tokens');
  return {
    ...(input === undefined ? {} : { inputTokens: input + (read ?? 0) + written }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(thinking === undefined ? {} : { reasoningTokens: thinking }),
    ...(read === undefined ? {} : { cachedTokens: read }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
  };
}
