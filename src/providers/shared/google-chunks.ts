import { AppError, type Json } from '../../core/errors';
import type { FinishReason, Usage } from '../../core/node';
import { isEffective, type StreamEvent } from '../../core/stream';
import { isList, isRecord, numberAt, recordAt, textAt, toJson, type UnknownRecord } from '../../outbound/json';
import { createCallReader } from './google-calls';
import { createSourceReader } from './google-sources';

/** Why Gemini ends an answer; a word that is missing here is `other`. */
const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
]);

export interface GoogleDecoder {
  /** Events of one chunk, or of a whole answer. Only candidate 0 counts; chunks and parts of unknown shape give none. */
  push(chunk: unknown): readonly StreamEvent[];
  /**
   * What is left, then `finish`. Throws `stream-cut` where no chunk said why the answer ends, `provider-error` where it ended for a reason
   * of the server's with nothing in it, and `answer-empty` for any other answer without anything in it.
   */
  end(): readonly StreamEvent[];
}

/** A decoder for one answer; `nameOf` gives the tool that a name on the wire means. */
export function createGoogleDecoder(newId: () => string, nameOf: (wireName: string) => string = (name) => name): GoogleDecoder {
  const calls = createCallReader(newId, nameOf);
  const hosted = createHostedReader(newId);
  const sources = createSourceReader(newId);
  let rawReason: string | null = null;
  let refusal = '';
  let finishMessage = '';
  let hasOutput = false;
  let hasUsage = false;
  let hasChunk = false;

  const readPart = (part: UnknownRecord): readonly StreamEvent[] => {
    if (isRecord(part['functionCall'])) return calls.read(part);
    const work = hosted.read(part);
    if (work.length > 0) return work;
    // Pictures among the thoughts are drafts.
    const data = isRecord(part['inlineData']) ? part['inlineData'] : recordAt(part, 'inline_data');
    const base64 = textAt(data, 'data');
    if (base64 !== undefined) return part['thought'] === true ? [] : imageEvents(data, base64);
    return textEvents(part);
  };

  const readCandidate = (candidate: UnknownRecord): readonly StreamEvent[] => {
    const content = recordAt(candidate, 'content');
    const parts = isList(content['parts']) ? content['parts'].filter(isRecord) : [];
    const reason = textAt(candidate, 'finishReason');
    if (reason !== undefined && reason !== 'FINISH_REASON_UNSPECIFIED') rawReason = reason;
    finishMessage = textAt(candidate, 'finishMessage') ?? finishMessage;
    return [...parts.flatMap(readPart), ...sources.read(candidate)];
  };

  return {
    push(chunk) {
      if (!isRecord(chunk)) return [];
      hasChunk = true;
      const blocked = textAt(recordAt(chunk, 'promptFeedback'), 'blockReason');
      if (blocked !== undefined) {
        rawReason = `promptFeedback.${blocked}`;
        refusal = textAt(recordAt(chunk, 'promptFeedback'), 'blockReasonMessage') ?? blocked;
      }
      const candidates = isList(chunk['candidates']) ? chunk['candidates'].filter(isRecord) : [];
      const candidate = candidates.find((entry) => (numberAt(entry, 'index') ?? 0) === 0);
      const output = candidate === undefined ? [] : readCandidate(candidate);
      hasOutput ||= output.some(isEffective);
      const usage = usageOf(recordAt(chunk, 'usageMetadata'));
      hasUsage ||= usage !== undefined;
      return usage === undefined ? output : [...output, { type: 'usage', usage }];
    },
    end() {
      if (rawReason === null) {
        // Chunks in which there was nothing at all are another thing than an answer that breaks off.
        if (hasChunk && !hasOutput && !hasUsage) throw new AppError('answer-empty');
        throw new AppError('stream-cut', { retryable: true, details: { cause: 'no-end' } });
      }
      const known = refusal === '' ? (FINISH_REASONS.get(rawReason) ?? 'other') : 'content_filter';
      const rest = calls.end(known === 'stop');
      if (known === 'content_filter') {
        const text = refusal === '' ? finishMessage || rawReason : refusal;
        return [...rest, { type: 'refusal-delta', text }, { type: 'finish', reason: known, rawReason }];
      }
      if (!hasOutput && known === 'other') {
        const message = finishMessage === '' ? {} : { message: finishMessage };
        throw new AppError('provider-error', { retryable: true, details: { ...message, providerCode: rawReason } });
      }
      if (!hasOutput && known === 'stop') throw new AppError('answer-empty');
      // The protocol has no word for an answer that waits for results.
      return [...rest, { type: 'finish', reason: known === 'stop' && calls.count() > 0 ? 'tool_calls' : known, rawReason }];
    },
  };
}

function imageEvents(data: UnknownRecord, base64: string): readonly StreamEvent[] {
  const mimeType = textAt(data, 'mimeType') ?? textAt(data, 'mime_type') ?? '';
  return mimeType.startsWith('image/') ? [{ type: 'image', mimeType, base64 }] : [];
}

/** Text or thought with the signature that it came with. A signed part stays apart from what follows, as it has to go back by itself. */
function textEvents(part: UnknownRecord): readonly StreamEvent[] {
  const text = textAt(part, 'text') ?? '';
  const signature = textAt(part, 'thoughtSignature');
  const isThought = part['thought'] === true;
  if (signature === undefined) return text === '' ? [] : [{ type: isThought ? 'reasoning-delta' : 'text-delta', text }];
  const data: Json = { thoughtSignature: signature };
  return isThought
    ? [{ type: 'reasoning-delta', text }, { type: 'reasoning-opaque', data }, { type: 'part-end' }]
    : [{ type: 'text-delta', text }, { type: 'text-opaque', data }, { type: 'part-end' }];
}

/** Work of Google's server: code it ran, searches beside function calls. Its raw parts go back as they came. */
function createHostedReader(newId: () => string): { read(part: UnknownRecord): readonly StreamEvent[] } {
  const parts = new Map<string, readonly Json[]>();
  let lastCode = '';
  const event = (id: string, name: string, status: 'running' | 'done' | 'failed', part: UnknownRecord): StreamEvent => {
    const all = [...(parts.get(id) ?? []), toJson(part)];
    parts.set(id, all);
    return { type: 'hosted', id, name, status, data: { parts: all } };
  };
  return {
    read(part) {
      const { executableCode, codeExecutionResult, toolCall, toolResponse } = part;
      if (isRecord(executableCode)) {
        lastCode = newId();
        return [event(lastCode, 'code_execution', 'running', part)];
      }
      if (isRecord(codeExecutionResult)) {
        if (lastCode === '') lastCode = newId();
        const isDone = (textAt(codeExecutionResult, 'outcome') ?? 'OUTCOME_OK') === 'OUTCOME_OK';
        return [event(lastCode, 'code_execution', isDone ? 'done' : 'failed', part)];
      }
      if (isRecord(toolCall)) return [event(textAt(toolCall, 'id') ?? newId(), kindOf(toolCall), 'running', part)];
      if (isRecord(toolResponse)) return [event(textAt(toolResponse, 'id') ?? newId(), kindOf(toolResponse), 'done', part)];
      return [];
    },
  };
}

function kindOf(call: UnknownRecord): string {
  const type = (textAt(call, 'toolType') ?? '').toLowerCase();
  return type.includes('search') ? 'web_search' : type;
}

/** Tokens of tools are part of the prompt; thoughts stand beside the answer's own tokens, unless the total says that they are among them. */
function usageOf(usage: UnknownRecord): Usage | undefined {
  const prompt = numberAt(usage, 'promptTokenCount');
  if (prompt === undefined) return undefined;
  const inputTokens = prompt + (numberAt(usage, 'toolUsePromptTokenCount') ?? 0);
  const candidates = numberAt(usage, 'candidatesTokenCount');
  const thoughts = numberAt(usage, 'thoughtsTokenCount');
  const cached = numberAt(usage, 'cachedContentTokenCount');
  const hasThoughtsInside = candidates !== undefined && inputTokens + candidates === numberAt(usage, 'totalTokenCount');
  const generated = (candidates ?? 0) + (hasThoughtsInside ? 0 : (thoughts ?? 0));
  return {
    inputTokens,
    ...(candidates === undefined && thoughts === undefined ? {} : { outputTokens: generated }),
    ...(thoughts === undefined ? {} : { reasoningTokens: thoughts }),
    ...(cached === undefined ? {} : { cachedTokens: cached }),
  };
}
