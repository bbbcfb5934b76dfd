import { AppError, isAbort, toErrorData } from '../../core/errors';
import type { BrowserModelPiece, PageCalls } from '../../core/protocol';
import { findLanguageModel, TEXT_ONLY, type LanguageModelSession } from '../state/language-model';

/** See `PageCalls`: one session an answer, destroyed at its end, whatever that is. */
export async function browserModel(
  { messages }: PageCalls['browser-model']['args'],
  { signal }: { readonly signal: AbortSignal },
): Promise<PageCalls['browser-model']['result']> {
  const model = findLanguageModel(window);
  const last = messages.at(-1);
  if (model === undefined || last === undefined) throw failureOf(undefined);
  const controller = new AbortController();
  let session: LanguageModelSession | undefined;
  let reader: ReadableStreamDefaultReader<string>;
  try {
    // A message is no leave to download gigabytes: that has a button of its own.
    if ((await model.availability(TEXT_ONLY)) !== 'available') throw failureOf(undefined);
    session = await model.create({ ...TEXT_ONLY, initialPrompts: messages.slice(0, -1), signal });
    // It may have been made for somebody who has left meanwhile.
    signal.throwIfAborted();
    reader = session.promptStreaming(last.content, { signal: controller.signal }).getReader();
  } catch (error) {
    session?.destroy();
    throw isAbort(error) || error instanceof AppError ? error : failureOf(error);
  }
  const body = new ReadableStream<BrowserModelPiece>({
    async pull(out) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          out.enqueue({ type: 'text', text: value });
          return;
        }
        out.enqueue({ type: 'end' });
      } catch (error) {
        // Nobody listens any more, and everything is put away.
        if (controller.signal.aborted) return;
        out.enqueue({ type: 'error', error: toErrorData(cutOr(error)) });
      }
      session?.destroy();
      out.close();
    },
    cancel() {
      controller.abort();
      session?.destroy();
    },
  });
  return { body };
}

/** What ends in the middle may go on from there: the browser takes its sessions back when it needs the memory. */
function cutOr(error: unknown): AppError {
  const failure = failureOf(error);
  return failure.code === 'context-overflow' ? failure : new AppError('stream-cut', { retryable: true, cause: error });
}

/** A prompt that is too long has a name of its own; everything else means that the model can't be had. */
function failureOf(error: unknown): AppError {
  const isTooLong = error instanceof Error && error.name === 'QuotaExceededError';
  return isTooLong
    ? new AppError('context-overflow', { cause: error })
    : new AppError('model-load-failed', {
        details: { model: 'Built-in model', reason: error instanceof Error ? error.message : '' },
        cause: error,
      });
}
