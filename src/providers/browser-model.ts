import type { ModelCapabilities, ModelInfo } from '../core/account';
import { AppError, fromErrorData } from '../core/errors';
import type { BrowserModelMessage, BrowserModelPiece } from '../core/protocol';
import type { ModelRequest, RequestPart } from '../core/request';
import type { Provider } from './provider';
import { mergeNeighbours, noteOf, withoutBlanks } from './shared/turns';

const CAPABILITIES: ModelCapabilities = { vision: false, tools: false, reasoning: false, contextTokens: null };
const MODEL: ModelInfo = { id: 'built-in', name: 'Built-in model', capabilities: CAPABILITIES };

/** The model that a browser brings along. It lives in windows only, so the page asks it; each answer has a session of its own. */
export const browserModel: Provider = {
  id: 'browser-model',
  name: 'Browser',
  modelsUrl: () => {
    throw new AppError('address-invalid');
  },
  listModels: async () => Promise.resolve([MODEL]),
  capabilities: (modelId, account) => ({ ...CAPABILITIES, ...account.overrides[modelId] }),
  async *stream(request, _account, io) {
    const { body } = await io.page.call('browser-model', { messages: messagesOf(request) }, io.signal);
    if (!(body instanceof ReadableStream)) throw new AppError('internal', { details: { fault: 'no stream' } });
    const reader: ReadableStreamDefaultReader<unknown> = body.getReader();
    const stop = (): void => {
      void reader.cancel().catch(() => undefined);
    };
    io.signal.addEventListener('abort', stop, { once: true });
    let hasText = false;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        io.signal.throwIfAborted();
        // A page that goes takes its stream along.
        if (done || !isPiece(value)) throw new AppError('stream-cut', { retryable: true });
        if (value.type === 'error') throw fromErrorData(value.error);
        if (value.type === 'end') break;
        hasText ||= value.text !== '';
        yield { type: 'text-delta', text: value.text };
      }
    } finally {
      io.signal.removeEventListener('abort', stop);
      stop();
    }
    if (!hasText) throw new AppError('answer-empty');
    yield { type: 'finish', reason: 'stop', rawReason: null };
  },
};

/** Text only. Calls of tools have been told in words before, and pictures were refused. */
function messagesOf(request: ModelRequest): readonly BrowserModelMessage[] {
  const system = request.system.filter((block) => block.trim() !== '').join('\n\n');
  const turns = mergeNeighbours(request.history.map(withoutBlanks).filter((message) => message.parts.length > 0));
  const messages = turns.map(({ role, parts }): BrowserModelMessage => ({ role, content: parts.flatMap(wordsOf).join('\n\n') }));
  // It is asked by a message of the user's; an answer that is to go on is asked for in words.
  const last = messages.at(-1);
  const asked: readonly BrowserModelMessage[] = last?.role === 'user' ? messages : [...messages, { role: 'user', content: 'Continue.' }];
  return system === '' ? asked : [{ role: 'system', content: system }, ...asked];
}

function wordsOf(part: RequestPart): readonly string[] {
  if (part.type === 'text') return [part.text];
  return part.type === 'file' ? [noteOf(part)] : [];
}

function isPiece(value: unknown): value is BrowserModelPiece {
  return typeof value === 'object' && value !== null && 'type' in value;
}
