import { LoggerWithoutDebug, Wllama, type ChatCompletionChunk, type ChatCompletionParams } from '@wllama/wllama';
import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { AppError, type Json, type JsonObject } from '../core/errors';
import type { EngineModel } from './engine';
import { loadFailure, reasonOf, type EngineChunk, type RunningEngine } from './running-engine';

/**
 * llama.cpp on the processor. The package is told to take nothing from elsewhere: in a browser that lacks something it would fetch another
 * build from a server that nobody chose. Throws `model-load-failed`, `out-of-memory`.
 */
export async function loadWllama(model: Extract<EngineModel, { engine: 'wllama' }>): Promise<RunningEngine> {
  const wllama = new Wllama(
    // Its own worker has no address that a relative one could be resolved against.
    { default: new URL(wasmUrl, self.location.href).href },
    { suppressNativeLog: true, logger: LoggerWithoutDebug },
  );
  wllama.setCompat(null);
  try {
    await wllama.loadModel([...model.files], {
      n_ctx: model.contextTokens,
      n_gpu_layers: 0,
      // One answer at a time: more sequences would only share the same memory.
      n_parallel: 1,
      // Thoughts stay in the text, where every model that thinks aloud has them.
      reasoning_format: 'none',
    });
    // A file that is no model is loaded without a word.
    if (!(wllama.getModelMetadata().hparams.nVocab > 0)) throw new AppError('model-load-failed', { details: { reason: 'no vocabulary' } });
  } catch (error) {
    await wllama.exit().catch(() => undefined);
    throw loadFailure(error);
  }
  const { nCtxTrain } = wllama.getModelMetadata().hparams;
  return {
    loaded: {
      contextTokens: nCtxTrain > 0 ? Math.min(model.contextTokens, nCtxTrain) : model.contextTokens,
    },
    async *chunks(request, signal) {
      try {
        for await (const chunk of await wllama.createChatCompletion(paramsOf(request.body, request.thinking, signal))) yield plain(chunk);
      } catch (error) {
        signal.throwIfAborted();
        throw answerFailure(error);
      }
    },
    end: async () => wllama.exit(),
  };
}

/** Our own request has the protocol's shapes, and the package looks at them again. */
function paramsOf(body: JsonObject, thinking: boolean | null, abortSignal: AbortSignal): ChatCompletionParams & { stream: true } {
  const kwargs = thinking === null ? {} : { chat_template_kwargs: { enable_thinking: thinking } };
  return { messages: [], ...body, ...kwargs, stream: true, abortSignal };
}

/** What of a chunk is read, as plain data; the times that it took make the speed. */
function plain({ choices, usage, timings }: ChatCompletionChunk): EngineChunk {
  const [choice] = choices;
  const counted =
    usage == null ? (timings === undefined ? undefined : usageOf(timings)) : countsOf(usage.prompt_tokens, usage.completion_tokens);
  return {
    chunk: {
      choices: choice === undefined ? [] : [{ index: 0, delta: deltaOf(choice.delta), finish_reason: choice.finish_reason }],
      ...(counted === undefined ? {} : { usage: counted }),
    },
    ...(timings === undefined ? {} : { tokensPerSecond: timings.predicted_per_second }),
  };
}

function deltaOf({ content, tool_calls = [] }: ChatCompletionChunk['choices'][number]['delta']): JsonObject {
  const calls = tool_calls.map(({ index, id, function: called }): Json => ({
    index,
    ...(id === undefined ? {} : { id }),
    function: { ...(called?.name === undefined ? {} : { name: called.name }), arguments: called?.arguments ?? '' },
  }));
  return { ...(content == null ? {} : { content }), ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

function usageOf({ prompt_n, cache_n, predicted_n }: NonNullable<ChatCompletionChunk['timings']>): JsonObject {
  return countsOf(prompt_n + cache_n, predicted_n);
}

function countsOf(prompt_tokens: number, completion_tokens: number): JsonObject {
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** A full window is the one failure that neither more memory nor another try would help. */
function answerFailure(error: unknown): AppError {
  const reason = reasonOf(error);
  const isFull = /context (?:size|window|length)|exceeds? the (?:available )?context|kv.?cache/i.test(reason);
  // The runtime ends itself where it can't have more memory, and is good for nothing after that.
  return new AppError(isFull ? 'context-overflow' : 'out-of-memory', { details: { reason }, cause: error });
}
