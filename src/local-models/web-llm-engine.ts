import type { ChatCompletionChunk, ChatCompletionRequestStreaming, InitProgressReport, MLCEngine } from '@mlc-ai/web-llm';
import { AppError, type Json, type JsonObject } from '../core/errors';
import type { LocalRequest } from '../core/local-model';
import type { EngineModel } from './engine';
import { loadFailure, reasonOf, type EngineChunk, type RunningEngine } from './running-engine';
import { loadWebLlm } from './web-llm-package';
import { FenceReader, withFences } from './tool-fences';
import { appConfig } from './web-llm-records';

/**
 * MLC models on the GPU. All files have to be in the package's caches, so that it asks nobody. `onProgress` gets 0 to 1, never less than
 * before. Throws `model-load-failed`, `out-of-memory`, `device-lost`.
 */
export async function loadOnGpu(
  model: Extract<EngineModel, { engine: 'web-llm' }>,
  onProgress: (progress: number) => void,
): Promise<RunningEngine> {
  const { MLCEngine } = await loadWebLlm();
  const report = monotone(onProgress);
  const engine = new MLCEngine({ appConfig: await appConfig(), initProgressCallback: report, logLevel: 'WARN' });
  try {
    await engine.reload(model.recordId, { context_window_size: model.contextTokens });
  } catch (error) {
    await engine.unload().catch(() => undefined);
    throw gpuFailure(error) ?? loadFailure(error);
  }
  return {
    loaded: { contextTokens: model.contextTokens },
    chunks: (request, signal) => chunksOf(engine, request, signal),
    end: async () => engine.unload(),
  };
}

async function* chunksOf(engine: MLCEngine, request: LocalRequest, signal: AbortSignal): AsyncGenerator<EngineChunk> {
  const stop = (): void => {
    void engine.interruptGenerate();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const fences = new FenceReader();
    for await (const chunk of await engine.chat.completions.create(requestOf(request))) yield plain(chunk, fences);
  } catch (error) {
    signal.throwIfAborted();
    throw gpuFailure(error) ?? new AppError('internal', { details: { reason: reasonOf(error) }, cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The package wants texts where the protocol allows null, and has no message of its own for what it does not take. */
function requestOf({ body, thinking }: LocalRequest): ChatCompletionRequestStreaming {
  return {
    messages: [],
    ...withFences(body),
    ...(thinking === null ? {} : { extra_body: { enable_thinking: thinking } }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** A piece as the protocol has it: calls are taken out of the text, and end the answer as calls. */
function plain({ choices, usage }: ChatCompletionChunk, fences: FenceReader): EngineChunk {
  const [choice] = choices;
  const shown = choice === undefined ? [] : choicesOf(choice.delta.content ?? '', choice.finish_reason ?? null, fences);
  if (usage == null) return { chunk: { choices: shown } };
  const { prompt_tokens, completion_tokens, total_tokens, extra } = usage;
  return {
    chunk: { choices: shown, usage: { prompt_tokens, completion_tokens, total_tokens } },
    tokensPerSecond: extra.decode_tokens_per_s,
  };
}

function choicesOf(text: string, reason: string | null, fences: FenceReader): readonly JsonObject[] {
  const deltas = [...fences.push(text), ...(reason === null ? [] : fences.end())];
  // Our own stop is no word of the protocol.
  const told = reason === 'abort' ? null : reason === 'stop' && fences.hasCalls ? 'tool_calls' : reason;
  const delta = joined(deltas);
  return [{ index: 0, delta, finish_reason: told }];
}

function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A piece rarely holds more than one delta; where it does, texts and calls are told together. */
function joined(deltas: readonly JsonObject[]): JsonObject {
  const content = deltas.map((delta) => (typeof delta['content'] === 'string' ? delta['content'] : '')).join('');
  const calls = deltas.flatMap((delta) => (isJsonList(delta['tool_calls']) ? delta['tool_calls'] : []));
  return { ...(content === '' ? {} : { content }), ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

/** Where each of the package's three runs from 0 to 1 lies in the whole. */
const RUNS: readonly (readonly [begins: RegExp, from: number, to: number])[] = [
  [/^Fetching/, 0, 0.1],
  [/^Loading model/, 0.1, 0.6],
  [/^Loading GPU shader/, 0.6, 1],
];

function monotone(onProgress: (progress: number) => void): (report: InitProgressReport) => void {
  let best = 0;
  return ({ progress, text }) => {
    const [, from = best, to = 1] = RUNS.find(([begins]) => begins.test(text)) ?? [];
    best = Math.max(best, from + (to - from) * Math.min(1, Math.max(0, progress)));
    onProgress(best);
  };
}

/** The package exports one of its errors; the others are known by their names. Undefined for one that says nothing of its own. */
function gpuFailure(error: unknown): AppError | undefined {
  const name = error instanceof Error ? error.name : '';
  const reason = reasonOf(error);
  if (name === 'ContextWindowSizeExceededError') return new AppError('context-overflow', { cause: error });
  if (/out of memory/i.test(reason)) return new AppError('out-of-memory', { details: { reason }, cause: error });
  if (name === 'DeviceLostError' || /device (?:was |is )?lost/i.test(reason))
    return new AppError('device-lost', { details: { reason }, cause: error });
  return undefined;
}
