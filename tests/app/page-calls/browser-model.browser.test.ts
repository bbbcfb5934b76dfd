import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { browserModel } from '../../../src/app/page-calls/browser-model';
import type { BrowserModelPiece } from '../../../src/core/protocol';

/** The browser's class, as a test plays it. */
class FakeLanguageModel {
  static created: unknown[] = [];
  static destroyed = 0;
  static said = 'available';
  static failure: DOMException | null = null;
  static pieces: readonly (string | DOMException)[] = [];

  static async availability(): Promise<string> {
    return this.said;
  }

  static async create(options: object): Promise<FakeLanguageModel> {
    if (this.failure !== null) throw this.failure;
    this.created.push(options);
    return new FakeLanguageModel();
  }

  promptStreaming(_text: string, { signal }: { readonly signal: AbortSignal }): ReadableStream<string> {
    const pieces = [...FakeLanguageModel.pieces];
    return new ReadableStream<string>({
      async pull(out) {
        const piece = pieces.shift();
        if (piece === undefined) out.close();
        else if (piece instanceof DOMException) out.error(piece);
        else if (piece === 'forever') {
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve);
          });
          out.error(new DOMException('stopped', 'AbortError'));
        } else out.enqueue(piece);
      },
    });
  }

  destroy(): void {
    FakeLanguageModel.destroyed += 1;
  }
}

beforeEach(() => {
  Object.assign(FakeLanguageModel, { created: [], destroyed: 0, said: 'available', failure: null, pieces: ['Hel', 'lo'] });
  Reflect.set(window, 'LanguageModel', FakeLanguageModel);
});
afterEach(() => {
  Reflect.deleteProperty(window, 'LanguageModel');
});

const ask = async () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
  ] as const;
  const { body } = await browserModel({ messages }, { signal: new AbortController().signal });
  if (!(body instanceof ReadableStream)) throw new Error('no stream');
  return body;
};

async function piecesOf(body: ReadableStream<unknown>): Promise<unknown[]> {
  const pieces: unknown[] = [];
  for await (const piece of body) pieces.push(piece);
  return pieces;
}

describe('an answer of the browser’s own model', () => {
  test('comes in pieces, from a session of its own', async () => {
    const pieces: readonly BrowserModelPiece[] = [{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }, { type: 'end' }];
    expect(await piecesOf(await ask())).toEqual(pieces);
    expect(FakeLanguageModel.created).toMatchObject([
      {
        initialPrompts: [{ role: 'system', content: 'Be brief.' }],
        expectedInputs: [{ type: 'text' }],
        expectedOutputs: [{ type: 'text' }],
      },
    ]);
    expect(FakeLanguageModel.destroyed).toBe(1);
  });

  test('ends when nobody wants it any more', async () => {
    FakeLanguageModel.pieces = ['Hel', 'forever'];
    const reader = (await ask()).getReader();
    await reader.read();
    await reader.cancel();
    expect(FakeLanguageModel.destroyed).toBe(1);
  });

  test('that fails keeps what came, and says why', async () => {
    FakeLanguageModel.pieces = ['Hel', new DOMException('full', 'QuotaExceededError')];
    expect(await piecesOf(await ask())).toMatchObject([
      { type: 'text', text: 'Hel' },
      { type: 'error', error: { code: 'context-overflow' } },
    ]);
    expect(FakeLanguageModel.destroyed).toBe(1);
  });

  test('is not asked of a model that would have to be downloaded first', async () => {
    FakeLanguageModel.said = 'downloadable';
    await expect(ask()).rejects.toMatchObject({ code: 'model-load-failed' });
    expect(FakeLanguageModel.created).toEqual([]);
  });

  test('that breaks off may go on from there', async () => {
    FakeLanguageModel.pieces = ['Hel', new DOMException('gone', 'InvalidStateError')];
    expect((await piecesOf(await ask())).at(-1)).toMatchObject({ type: 'error', error: { code: 'stream-cut', retryable: true } });
  });

  test('can’t be had where the browser refuses, or has no such model', async () => {
    FakeLanguageModel.failure = new DOMException('no space', 'NotSupportedError');
    await expect(ask()).rejects.toMatchObject({ code: 'model-load-failed' });
    Reflect.deleteProperty(window, 'LanguageModel');
    await expect(ask()).rejects.toMatchObject({ code: 'model-load-failed' });
  });
});
