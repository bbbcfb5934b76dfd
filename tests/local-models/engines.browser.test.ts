import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/errors';
import type { LocalEvent } from '../../src/core/local-model';
import { readDevice } from '../../src/local-models/device';
import { RealEngine } from '../support/engine-line';
import { scriptedGguf } from '../support/scripted-gguf';

let engine: RealEngine;
beforeEach(() => {
  engine = new RealEngine();
});
afterEach(() => {
  engine.end();
});

const load = async (bytes: Uint8Array<ArrayBuffer> = scriptedGguf()) =>
  engine.call('load', { engine: 'wllama', files: [new File([bytes], 'scripted.gguf')], contextTokens: 2048 });

function asking(...messages: readonly JsonObject[]): { readonly body: JsonObject; readonly thinking: null } {
  return { body: { messages: [...messages], temperature: 0 }, thinking: null };
}

const user = (content: string): JsonObject => ({ role: 'user', content });

/** The deltas of all pieces, joined by their field. */
function textOf(events: readonly LocalEvent[]): string {
  return events.map((event) => (event.type === 'chunk' ? JSON.stringify(event.chunk) : '')).join('\n');
}

function wordsOf(events: readonly LocalEvent[]): string {
  return [...textOf(events).matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, words]) => String(JSON.parse(`"${words}"`))).join('');
}

const WEATHER: JsonObject = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

describe('the CPU engine', () => {
  test('answers with the words of its model, and counts them', async () => {
    expect(await load()).toEqual({ contextTokens: 2048 });
    const finish = await engine.generate(asking(user('hello')));
    expect(wordsOf(engine.events)).toBe('Hello from a scripted model.');
    expect(finish).toMatchObject({ type: 'finish', isInterrupted: false });
    expect(finish.tokensPerSecond).toBeGreaterThan(0);
    expect(textOf(engine.events)).toMatch(/"finish_reason":"stop"/);
    expect(textOf(engine.events)).toMatch(/"completion_tokens":[67]/);
  });

  test('leaves thoughts where the model has them', async () => {
    await load();
    await engine.generate(asking(user('think')));
    expect(wordsOf(engine.events)).toBe('<think>Let me see.</think>Done thinking;');
  });

  test('calls a tool, and reads its result', async () => {
    await load();
    const question = asking(user('weather'));
    await engine.generate({ ...question, body: { ...question.body, tools: [WEATHER] } });
    expect(textOf(engine.events)).toMatch(/"tool_calls":\[\{"index":0,"id":"[^"]+","function":\{"name":"get_weather"/);
    expect(textOf(engine.events)).toMatch(/Paris/);
    expect(textOf(engine.events)).toMatch(/"finish_reason":"tool_calls"/);
    const call: JsonObject = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };
    const answered = asking(
      user('weather'),
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    );
    await engine.generate({ ...answered, body: { ...answered.body, tools: [WEATHER] } });
    expect(wordsOf(engine.events)).toBe('It is sunny there!');
  });

  test('is stopped in the middle, and answers the next question', async () => {
    await load();
    const finish = await engine.generate(asking(user('forever')), (id) => void engine.call('interrupt', { id }));
    expect(finish.isInterrupted).toBe(true);
    expect(wordsOf(engine.events)).toMatch(/^ and on it goes,/);
    await engine.generate(asking(user('hello')));
    expect(wordsOf(engine.events)).toBe('Hello from a scripted model.');
  });

  test('ends at the limit that is asked for', async () => {
    await load();
    const question = asking(user('forever'));
    await engine.generate({ ...question, body: { ...question.body, max_tokens: 8 } });
    expect(textOf(engine.events)).toMatch(/"finish_reason":"length"/);
    expect(wordsOf(engine.events)).toBe(' and on it goes, and on it goes,');
  });

  test('says that a prompt is longer than its window', async () => {
    await load();
    await expect(engine.generate(asking(user('word '.repeat(4000))))).rejects.toMatchObject({ code: 'context-overflow' });
  });

  test('what is no model fails with the engine’s words, and the next load works', async () => {
    const garbage = new Uint8Array(50_000).fill(7);
    garbage.set(new TextEncoder().encode('GGUF'));
    await expect(load(garbage)).rejects.toMatchObject({ code: 'model-load-failed' });
    await load();
    await engine.generate(asking(user('hello')));
    expect(wordsOf(engine.events)).toBe('Hello from a scripted model.');
  });

  test('a model takes the place of the one before, and nothing answers where none is loaded', async () => {
    await expect(engine.generate(asking(user('hello')))).rejects.toMatchObject({ code: 'model-load-failed' });
    await load();
    await load(scriptedGguf({ hello: ['Other', ' words', '.'] }));
    await engine.generate(asking(user('hello')));
    expect(wordsOf(engine.events)).toBe('Other words.');
  });
});

describe('the GPU engine’s package', () => {
  const RECORD = 'SmolLM2-360M-Instruct-q4f16_1-MLC';

  test('knows its models by their records', async () => {
    expect(await engine.call('mlc-record', { recordId: RECORD })).toMatchObject({
      model: `https://huggingface.co/mlc-ai/${RECORD}/resolve/main/`,
    });
    expect(await engine.call('mlc-record', { recordId: 'no-such-model' })).toBeNull();
  });

  test('finds nothing where nothing is, and removes nothing', async () => {
    expect(await engine.call('mlc-is-stored', { recordId: RECORD })).toBe(false);
    expect(await engine.call('mlc-remove', { recordId: RECORD })).toBeNull();
  });
});

test('the device is described without asking anybody', async () => {
  const device = await readDevice(globalThis);
  expect(device).toMatchObject({ hasCpuEngine: true, saveData: false });
  expect(['none', 'no-adapter', 'software', 'hardware']).toContain(device.gpu);
});
