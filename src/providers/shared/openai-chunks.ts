import { AppError } from '../../core/errors';
import type { FinishReason, Usage } from '../../core/node';
import { isEffective, type StreamEvent } from '../../core/stream';
import { isList, isRecord, numberAt, recordAt, textAt, type UnknownRecord } from '../../outbound/json';
import type { AnswerDecoder } from './openai-client';
import { createDetailsReader, createPictureReader, createSourceReader } from './openai-extras';
import { createToolCallReader } from './openai-tool-calls';

/** Words for the end of an answer in the protocol and in servers that kept those of another one. */
const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['tool_calls', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['content-filter', 'content_filter'],
  ['safety', 'content_filter'],
  ['error', 'error'],
]);

/**
 * A decoder for one answer of a Chat Completions server. Only the first choice counts. `fromWire` gives a tool's name for the one on the
 * wire. `end` throws `stream-cut` where nothing said that the answer is complete, `provider-error` where the server ended it with an error
 * and no words, and `answer-empty` for an answer without anything in it.
 */
export function createChunkDecoder(newId: () => string, fromWire?: (name: string) => string): AnswerDecoder {
  const calls = createToolCallReader(newId, fromWire);
  const sources = createSourceReader();
  const details = createDetailsReader();
  const pictures = createPictureReader();
  let rawReason: string | null = null;
  let isWhole = false;
  let hasDelta = false;
  let hasOutput = false;
  let hasPlainReasoning = false;

  const readMessage = (message: UnknownRecord): readonly StreamEvent[] => {
    const plain = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning');
    hasPlainReasoning ||= plain !== undefined;
    // The details repeat the plain text where there is one.
    const reasoning = plain ?? (hasPlainReasoning ? '' : detailsText(message['reasoning_details']));
    const entries = isList(message['tool_calls']) ? message['tool_calls'] : [];
    const legacy = isRecord(message['function_call']) ? [{ index: 0, function: message['function_call'] }] : [];
    const thoughts = deltaOf('reasoning-delta', reasoning);
    details.read(message['reasoning_details'], thoughts.length > 0);
    const output = [
      ...contentEvents(message['content']),
      ...deltaOf('refusal-delta', textAt(message, 'refusal') ?? ''),
      ...pictures.read(message['images']),
      ...[...entries, ...legacy].flatMap((entry) => calls.read(entry)),
    ];
    sources.readAnnotations(message['annotations']);
    // Opaque data belongs to the thought before it, so it goes ahead of what follows.
    return [...thoughts, ...(output.length > 0 ? details.take() : []), ...output];
  };

  const readChoice = (choice: UnknownRecord): readonly StreamEvent[] => {
    rawReason = textAt(choice, 'finish_reason') ?? rawReason;
    const { delta, message } = choice;
    if (isRecord(delta)) {
      hasDelta = true;
      return readMessage(delta);
    }
    // Some servers repeat the whole answer in `message` beside the deltas.
    if (!isRecord(message) || hasDelta) return [];
    isWhole = true;
    return readMessage(message);
  };

  return {
    push(chunk) {
      if (!isRecord(chunk)) return [];
      const choices = isList(chunk['choices']) ? chunk['choices'].filter(isRecord) : [];
      const choice = choices.find((candidate) => (numberAt(candidate, 'index') ?? 0) === 0);
      const output = choice === undefined ? [] : readChoice(choice);
      hasOutput ||= output.some(isEffective);
      sources.readTopLevel(chunk);
      const usage = usageIn(chunk, choice);
      return usage === undefined ? output : [...output, { type: 'usage', usage }];
    },
    failureIn: () => undefined,
    rest: () => [...details.take(), ...sources.take()],
    end(isDone) {
      const rest = [...calls.end(), ...details.take(), ...sources.take()];
      if (rawReason === null && !isDone && !isWhole) throw new AppError('stream-cut', { retryable: true, details: { cause: 'no-end' } });
      const known = rawReason === null ? 'stop' : (FINISH_REASONS.get(rawReason.toLowerCase()) ?? 'other');
      if (known === 'error') throw new AppError('provider-error', { retryable: true, details: { providerCode: 'finish_reason error' } });
      // Whether tools are to run is decided by the calls that are there, not by the word.
      const reason = calls.count() > 0 && (known === 'stop' || known === 'other') ? 'tool_calls' : known;
      if (!hasOutput && !rest.some(isEffective) && reason === 'stop') throw new AppError('answer-empty');
      return [...rest, { type: 'finish', reason, rawReason }];
    },
  };
}

/** Text and thinking of a content field: a string, or a list of typed parts of which unknown ones are left out. */
function contentEvents(content: unknown): readonly StreamEvent[] {
  if (typeof content === 'string') return deltaOf('text-delta', content);
  if (!isList(content)) return [];
  return content.filter(isRecord).flatMap((part): readonly StreamEvent[] => {
    if (part['type'] === 'thinking') return deltaOf('reasoning-delta', plainText(part['thinking']));
    return part['type'] === 'text' ? deltaOf('text-delta', plainText(part['text'])) : [];
  });
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isList(value) ? value.map((entry) => (isRecord(entry) ? plainText(entry['text']) : '')).join('') : '';
}

function detailsText(details: unknown): string {
  if (!isList(details)) return '';
  return details.map((entry) => (isRecord(entry) ? (textAt(entry, 'text') ?? textAt(entry, 'summary') ?? '') : '')).join('');
}

function deltaOf(type: 'text-delta' | 'reasoning-delta' | 'refusal-delta', text: string): readonly StreamEvent[] {
  return text === '' ? [] : [{ type, text }];
}

/** Usage wherever a server puts it: at the top, under its own name, or in the choice. */
function usageIn(chunk: UnknownRecord, choice: UnknownRecord | undefined): Usage | undefined {
  const places = [chunk['usage'], recordAt(chunk, 'x_groq')['usage'], choice?.['usage']];
  const usage = places.find(isRecord);
  return usage === undefined ? undefined : readUsage(usage);
}

/** Counts in one form: reasoning is part of the output and cached tokens are part of the input, however the server counts. */
export function readUsage(usage: UnknownRecord): Usage | undefined {
  const inputTokens = numberAt(usage, 'prompt_tokens');
  const completion = numberAt(usage, 'completion_tokens');
  if (inputTokens === undefined && completion === undefined) return undefined;
  const reasoningTokens = numberAt(recordAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const cachedTokens =
    numberAt(recordAt(usage, 'prompt_tokens_details'), 'cached_tokens') ??
    numberAt(usage, 'cached_tokens') ??
    numberAt(usage, 'prompt_cache_hit_tokens');
  const total = numberAt(usage, 'total_tokens');
  // xAI counts reasoning beside the completion; the total shows it.
  const isBeside =
    total !== undefined && reasoningTokens !== undefined && total === (inputTokens ?? 0) + (completion ?? 0) + reasoningTokens;
  const outputTokens = completion !== undefined && isBeside ? completion + reasoningTokens : completion;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
  };
}
