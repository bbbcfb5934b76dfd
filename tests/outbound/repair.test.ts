import { describe, expect, test } from 'vitest';
import { createEventRepair, repairEvents, type ServerEvent } from '../../src/outbound/repair';
import { streamOf } from '../providers/cuttings';

/** Events of a text in pieces of one character. */
function repair(text: string, size = 1): readonly ServerEvent[] {
  const events: ServerEvent[] = [];
  const reader = createEventRepair((event) => events.push(event));
  for (let start = 0; start < text.length; start += size) reader.feed(text.slice(start, start + size));
  reader.end();
  return events;
}

describe('framing', () => {
  test.each([
    ['LF', 'data: {"a":1}\n\ndata: {"a":2}\n\n', ['{"a":1}', '{"a":2}']],
    ['CRLF', 'data: {"a":1}\r\n\r\ndata: {"a":2}\r\n\r\n', ['{"a":1}', '{"a":2}']],
    ['CR', 'data: {"a":1}\r\rdata: {"a":2}\r\r', ['{"a":1}', '{"a":2}']],
    ['comments, ids and retry', ': hi\nid: 1\nretry: 5\ndata: {"a":1}\n\n: ping\n\n', ['{"a":1}']],
    ['no blank after the colon', 'data:{"a":1}\n\n', ['{"a":1}']],
    ['a blank before the field', ' data: {"a":1}\n\n', ['{"a":1}']],
    ['one text over two lines', 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
    ['two texts in one event', 'data: {"a":1}\ndata: {"a":2}\n\n', ['{"a":1}', '{"a":2}']],
    ['no blank line at the end', 'data: {"a":1}\n\ndata: {"a":2}', ['{"a":1}', '{"a":2}']],
    ['a last event cut in two', 'data: {"a":1}\n\ndata: {"a":', ['{"a":1}']],
    ['keep-alive noise', 'data: \n\ndata: ping\n\ndata: {"a":1}\n\n', ['{"a":1}']],
    ['a doubled prefix', 'data: data: {"a":1}\n\n', ['{"a":1}']],
    ['JSON without data lines', '{"a":1}\n{"a":2}\n', ['{"a":1}', '{"a":2}']],
    ['one document over many lines', '{\n "a": {\n  "b": 1\n }\n}\n', ['{"a":{"b":1}}']],
    ['a list', '[{"a":1},\n{"a":2}]', ['{"a":1}', '{"a":2}']],
    ['a document after events', 'data: {"a":1}\n\n{\n"error": "late"\n}\n', ['{"a":1}', '{"error":"late"}']],
    ['a document that was cut', '{"a": [1, 2', []],
  ])('%s', (_name, text, expected) => {
    expect(repair(text).map((event) => event.data)).toEqual(expected);
    expect(repair(text, text.length)).toEqual(repair(text));
  });

  test('an error line becomes an error event, after what stood before it', () => {
    expect(repair('data: {"a":1}\nerror: {"code":500}\n')).toEqual([{ data: '{"a":1}' }, { event: 'error', data: '{"code":500}' }]);
    expect(repair('error: out of memory\n')).toEqual([{ event: 'error', data: '{"error":{"message":"out of memory"}}' }]);
    expect(repair('event: error\ndata: crashed\n\n')).toEqual([{ event: 'error', data: '{"error":{"message":"crashed"}}' }]);
  });

  test('an event keeps its name, whichever line came first', () => {
    expect(repair('data: {"a":1}\nevent: delta\n\n')).toEqual([{ event: 'delta', data: '{"a":1}' }]);
  });

  test.each(['<!doctype html><title>x</title>', '\n  <html>', 'It works!', 'Not here\nnor there'])('%j is no API', (text) => {
    expect(() => repair(text)).toThrowError(expect.objectContaining({ code: 'not-an-api' }));
  });
});

describe('the stream', () => {
  const encoder = new TextEncoder();
  const read = async (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();

  test('is canonical, without a byte order mark, and ends after [DONE]', async () => {
    const bytes = encoder.encode('\uFEFFdata: {"a":"漢"}\r\n\r\ndata: [DONE]\n\ndata: {"late":1}\n\n');
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const seen: string[] = [];
    const text = await read(repairEvents(streamOf(pieces), (event) => seen.push(event.data)));
    expect(text).toBe('data: {"a":"漢"}\n\ndata: [DONE]\n\n');
    expect(seen).toEqual(['{"a":"漢"}', '[DONE]']);
  });

  test('gives up a source that stays open after [DONE]', async () => {
    const cancelled = withResolvers();
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode('data: [DONE]\n\n'));
      },
      cancel: () => {
        cancelled.resolve('cancelled');
      },
    });
    expect(await read(repairEvents(source))).toBe('data: [DONE]\n\n');
    expect(await cancelled.promise).toBe('cancelled');
  });

  test('a cancel reaches the source at once, also while it is silent', async () => {
    const cancelled: unknown[] = [];
    const source = new ReadableStream<Uint8Array>({ cancel: (reason) => void cancelled.push(reason) });
    const reader = repairEvents(source).getReader();
    const pending = reader.read();
    await reader.cancel('enough');
    expect(cancelled).toEqual(['enough']);
    expect((await pending).done).toBe(true);
  });

  test('throws what the source throws', async () => {
    const broken = new TypeError('terminated');
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.error(broken);
      },
    });
    await expect(read(repairEvents(source))).rejects.toBe(broken);
  });
});

function withResolvers(): { promise: Promise<string>; resolve: (value: string) => void } {
  let resolve = (_value: string): void => undefined;
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return {
    promise,
    resolve: (value) => {
      resolve(value);
    },
  };
}
