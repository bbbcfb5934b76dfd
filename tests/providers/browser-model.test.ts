import { expect, test } from 'vitest';
import type { BrowserModelMessage, BrowserModelPiece } from '../../src/core/protocol';
import type { ModelRequest } from '../../src/core/request';
import type { StreamEvent } from '../../src/core/stream';
import { browserModel } from '../../src/providers/browser-model';
import { createTestGate } from '../outbound/test-gate';
import { noDevice } from '../support/no-device';
import { testAccount, testRequest } from './run-provider';

async function run(pieces: readonly BrowserModelPiece[], request: Partial<ModelRequest> = {}, controller = new AbortController()) {
  let asked: readonly BrowserModelMessage[] = [];
  let isCancelled = false;
  const body = new ReadableStream<BrowserModelPiece>({
    start(out) {
      for (const piece of pieces) out.enqueue(piece);
      if (pieces.length > 0) out.close();
    },
    cancel() {
      isCancelled = true;
    },
  });
  const io = {
    gate: createTestGate().gate,
    key: null,
    signal: controller.signal,
    newId: () => 'id',
    local: noDevice.local,
    page: {
      call: async (_name: string, { messages }: { readonly messages: readonly BrowserModelMessage[] }) => {
        asked = messages;
        return { body };
      },
    },
  };
  const events: StreamEvent[] = [];
  let failure: unknown;
  try {
    for await (const event of browserModel.stream(testRequest(request), testAccount(''), io)) events.push(event);
  } catch (error) {
    failure = error;
  }
  return { events, failure, asked, wasCancelled: () => isCancelled };
}

test('an answer is its pieces and one finish', async () => {
  const { events, asked } = await run([{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }, { type: 'end' }], {
    system: ['Be brief.', ' '],
  });
  expect(events).toEqual([
    { type: 'text-delta', text: 'Hel' },
    { type: 'text-delta', text: 'lo' },
    { type: 'finish', reason: 'stop', rawReason: null },
  ]);
  expect(asked).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
  ]);
});

test('an answer that is to go on is asked for in words', async () => {
  const history = [
    { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Half' }] },
  ] as const;
  const { asked } = await run([{ type: 'text', text: 'rest' }, { type: 'end' }], { history });
  expect(asked.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('its failures keep their code, and a page that went is a cut answer', async () => {
  const error = { code: 'context-overflow', retryable: false, details: {} } as const;
  expect((await run([{ type: 'error', error }])).failure).toMatchObject({ code: 'context-overflow' });
  expect((await run([{ type: 'text', text: 'Half' }])).failure).toMatchObject({ code: 'stream-cut' });
  expect((await run([{ type: 'end' }])).failure).toMatchObject({ code: 'answer-empty' });
});

test('a stop ends it at once', async () => {
  const controller = new AbortController();
  const running = run([], {}, controller);
  await Promise.resolve();
  controller.abort();
  const { failure, events, wasCancelled } = await running;
  expect(failure).toMatchObject({ name: 'AbortError' });
  expect(events).toEqual([]);
  expect(wasCancelled()).toBe(true);
});
