import { AppError, type JsonObject } from '../core/errors';
import type { LocalRequest } from '../core/local-model';
import type { LoadedModel } from './engine';

/** A piece of an answer, as the Chat Completions protocol has it; `tokensPerSecond` where the engine measured it. */
export interface EngineChunk {
  readonly chunk: JsonObject;
  readonly tokensPerSecond?: number;
}

/** A model that is loaded, whichever engine runs it. */
export interface RunningEngine {
  readonly loaded: LoadedModel;
  /** One answer. Once `signal` fires it ends after the current token, or throws the signal's reason. Throws AppErrors otherwise. */
  chunks(request: LocalRequest, signal: AbortSignal): AsyncIterable<EngineChunk>;
  /** Frees everything. */
  end(): Promise<void>;
}

const MEMORY_WORDS = /out of memory|\boom\b|memory access|allocat|cannot enlarge|array buffer/i;

/** Why a model could not be loaded: `out-of-memory` where it says so, else `model-load-failed` with the engine's own words. */
export function loadFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = reasonOf(error);
  const isMemory = error instanceof RangeError || MEMORY_WORDS.test(reason);
  return new AppError(isMemory ? 'out-of-memory' : 'model-load-failed', { details: { reason }, cause: error });
}

/** An engine's own words, which may be thrown in any form. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : JSON.stringify(error);
  return (text ?? '').slice(0, 500);
}
