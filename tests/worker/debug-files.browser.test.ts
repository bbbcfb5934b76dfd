import { beforeEach, expect, test } from 'vitest';

/** The files are written with a handle that only workers have. */
const inWorker = async (work: 'append' | 'read' | 'clear', lines: readonly string[] = []): Promise<string> => {
  const worker = new Worker(new URL('./debug-files-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<{ text?: string; error?: string }>) => {
        if (data.error === undefined) resolve(data.text ?? '');
        else reject(new Error(data.error));
      };
      worker.onerror = () => {
        reject(new Error('the worker failed'));
      };
      worker.postMessage({ work, lines });
    });
  } finally {
    worker.terminate();
  }
};

beforeEach(async () => {
  await inWorker('clear');
});

test('lines are added at the end, those of two tabs whole and one after the other', async () => {
  await Promise.all([inWorker('append', ['{"a":1}', '{"a":2}']), inWorker('append', ['{"b":1}', '{"b":2}'])]);
  const lines = (await inWorker('read')).trim().split('\n');
  expect(lines.toSorted()).toEqual(['{"a":1}', '{"a":2}', '{"b":1}', '{"b":2}']);
  expect(lines.indexOf('{"a":2}') - lines.indexOf('{"a":1}')).toBe(1);
});

test('a file of 10 MB makes way for a new one, and one older is kept', async () => {
  const line = JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024) });
  for (const name of ['1', '2', '3', '4', '5', '6']) await inWorker('append', [`"${name}"`, line]);
  const kept = (await inWorker('read')).split('\n').filter((text) => /^"\d"$/.test(text));
  expect(kept).toEqual(['"3"', '"4"', '"5"', '"6"']);
});

test('what was written is gone once it is cleared', async () => {
  await inWorker('append', ['x']);
  await inWorker('clear');
  expect(await inWorker('read')).toBe('');
});
