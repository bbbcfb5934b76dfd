import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/core/errors';
import type { LocalEvent, LocalRequest } from '../../src/core/local-model';
import type { LocalHost } from '../../src/local-models/host';
import { listLocalModels } from '../../src/storage/local-models';
import {
  ask,
  downloaded,
  FINISH,
  NEVER,
  said,
  statusOf,
  testHost,
  until,
  type FakeEngineWorker,
  type TestHost,
} from '../support/local-host';

/** Reads an answer while a test plays the engine. */
function reading(host: LocalHost, request: LocalRequest, signal: AbortSignal = NEVER) {
  const heard: LocalEvent[] = [];
  const take = (event: LocalEvent): void => {
    heard.push(event);
  };
  const done = host.generate(request, take, signal);
  // A test that expects a failure looks at it later.
  done.catch(() => undefined);
  return { heard, done };
}

async function engineOf({ engines }: TestHost, number = 0): Promise<FakeEngineWorker> {
  return until(() => engines[number]);
}

async function loadedHost(modelId = 'small'): Promise<TestHost & { engine: FakeEngineWorker }> {
  const setup = await testHost();
  await downloaded(setup, modelId);
  const loading = setup.host.act({ type: 'load', modelId }, NEVER);
  const engine = await engineOf(setup);
  await engine.answer('load', { contextTokens: 4096 });
  await loading;
  return { ...setup, engine };
}

describe('downloads', () => {
  test('a model is downloaded, listed for its account, and remembered', async () => {
    const setup = await testHost();
    await downloaded(setup, 'small');
    expect(setup.accounts.at(-1)).toEqual(['small']);
    expect(setup.host.view().usedBytes).toBe(100);
    expect(await listLocalModels(setup.database)).toMatchObject([{ isComplete: true, receivedBytes: 100, error: null }]);
  });

  test('progress is shown while it runs, and what arrived is kept when it is paused', async () => {
    const setup = await testHost();
    await setup.host.act({ type: 'download', modelId: 'small' }, NEVER);
    const download = await until(() => setup.store.downloads[0]);
    download.options.onProgress({ receivedBytes: 40, totalBytes: 100 });
    expect(setup.views.at(-1)?.entries.find(({ model }) => model.id === 'small')?.status).toEqual({
      type: 'downloading',
      receivedBytes: 40,
      totalBytes: 100,
    });
    setup.store.bytes = 40;
    await setup.host.act({ type: 'pause', modelId: 'small' }, NEVER);
    expect(setup.host.view().entries.find(({ model }) => model.id === 'small')?.status).toEqual({
      type: 'paused',
      receivedBytes: 40,
      totalBytes: 100,
      error: null,
    });
    expect(setup.host.isIdle).toBe(true);
  });

  test('a failure is kept with what arrived, and the next try begins there', async () => {
    const setup = await testHost();
    await setup.host.act({ type: 'download', modelId: 'small' }, NEVER);
    (await until(() => setup.store.downloads[0])).end.reject(new AppError('storage-quota'));
    await until(() => (statusOf(setup.host, 'small') === 'paused' ? true : undefined));
    expect(await listLocalModels(setup.database)).toMatchObject([{ isComplete: false, error: { code: 'storage-quota' } }]);
    await setup.host.act({ type: 'download', modelId: 'small' }, NEVER);
    (await until(() => setup.store.downloads[1])).end.resolve(100);
    await until(() => (statusOf(setup.host, 'small') === 'ready' ? true : undefined));
    expect(await listLocalModels(setup.database)).toMatchObject([{ isComplete: true, error: null }]);
  });

  test('the offline lock ends all of them, and is why they stand', async () => {
    const setup = await testHost();
    await setup.host.act({ type: 'download', modelId: 'small' }, NEVER);
    await setup.host.act({ type: 'download', modelId: 'large' }, NEVER);
    await until(() => setup.store.downloads[1]);
    await setup.host.pauseDownloads(new AppError('offline-lock'));
    const errors = (await listLocalModels(setup.database)).map(({ error }) => error?.code);
    expect(errors).toEqual(['offline-lock', 'offline-lock']);
  });

  test('a model of the GPU engine is fetched by the record of its package, and is only complete once the package finds it', async () => {
    const setup = await testHost({ fit: { fits: true, precision: 'f32', isSlow: false } });
    await setup.host.act({ type: 'download', modelId: 'gpu' }, NEVER);
    const engine = await engineOf(setup);
    const record = { model: 'https://hub/m', library: 'https://hub/l' };
    await engine.answer('mlc-record', record);
    expect(engine.calls[0]).toEqual({ name: 'mlc-record', args: { recordId: 'gpu-f32-MLC' } });
    const download = await until(() => setup.store.downloads[0]);
    expect(download.options.record).toEqual(record);
    download.end.resolve(100);
    await engine.answer('mlc-is-stored', false);
    await until(() => (statusOf(setup.host, 'gpu') === 'paused' ? true : undefined));
    expect(await listLocalModels(setup.database)).toMatchObject([{ isComplete: false, error: { code: 'model-file-invalid' } }]);
  });

  test('removing takes everything: the download, the files, the record, the place in the account', async () => {
    const setup = await testHost();
    await downloaded(setup, 'small');
    await setup.host.act({ type: 'remove', modelId: 'small' }, NEVER);
    expect(statusOf(setup.host, 'small')).toBe('absent');
    expect(await listLocalModels(setup.database)).toEqual([]);
    expect(setup.accounts.at(-1)).toEqual([]);
  });
});

describe('answers', () => {
  test('a model is loaded with the first question and answers the second at once', async () => {
    const setup = await testHost();
    await downloaded(setup, 'small');
    const first = reading(setup.host, ask('small'));
    const engine = await engineOf(setup);
    await until(() => engine.calls.find(({ name }) => name === 'load'));
    engine.progress(0.5);
    await engine.answer('load', { contextTokens: 4096 });
    await until(() => engine.calls.find(({ name }) => name === 'generate'));
    engine.say(said('Hel'), said('lo'));
    await engine.answer('generate', FINISH);
    await first.done;
    expect(first.heard).toEqual([
      { type: 'wait', wait: { type: 'loading', progress: null } },
      { type: 'wait', wait: { type: 'loading', progress: 0.5 } },
      { type: 'wait', wait: { type: 'reading' } },
      said('Hel'),
      said('lo'),
      FINISH,
    ]);
    expect(setup.host.view().entries.find(({ model }) => model.id === 'small')).toMatchObject({
      tokensPerSecond: 12,
      status: { type: 'loaded' },
    });
    const second = reading(setup.host, ask('small'));
    await engine.answer('generate', FINISH);
    await second.done;
    expect(second.heard).toEqual([{ type: 'wait', wait: { type: 'reading' } }, FINISH]);
  });

  test('what is not on this device says so, also where the browser has cleared its files', async () => {
    const setup = await testHost();
    await expect(reading(setup.host, ask('small')).done).rejects.toMatchObject({
      code: 'model-not-downloaded',
      details: { modelId: 'Model small' },
    });
    await downloaded(setup, 'small');
    setup.store.isCleared = true;
    await expect(reading(setup.host, ask('small')).done).rejects.toMatchObject({ code: 'model-not-downloaded' });
    expect(statusOf(setup.host, 'small')).toBe('absent');
  });

  test('what was trained for less is asked for less from then on', async () => {
    const setup = await testHost();
    await downloaded(setup, 'small');
    const loading = setup.host.act({ type: 'load', modelId: 'small' }, NEVER);
    await (await engineOf(setup)).answer('load', { contextTokens: 100 });
    await loading;
    expect(setup.host.view().entries.find(({ model }) => model.id === 'small')?.model.contextTokens).toBe(100);
    const long = ask('small', { body: { messages: [{ role: 'user', content: 'word '.repeat(200) }] } });
    await expect(reading(setup.host, long).done).rejects.toMatchObject({ code: 'context-overflow' });
  });

  test('a prompt that can not fit never reaches the engine', async () => {
    const { host, engine } = await loadedHost();
    const long = ask('small', { body: { messages: [{ role: 'user', content: 'word '.repeat(10_000) }] } });
    await expect(reading(host, long).done).rejects.toMatchObject({ code: 'context-overflow' });
    expect(engine.calls.map(({ name }) => name)).toEqual(['load']);
  });

  test('a second chat waits, says so, and is served when the first is done', async () => {
    const { host, engine } = await loadedHost();
    const first = reading(host, ask('small'));
    await until(() => engine.calls.find(({ name }) => name === 'generate'));
    const second = reading(host, ask('small'));
    await until(() => (second.heard.length > 0 ? true : undefined));
    expect(second.heard).toEqual([{ type: 'wait', wait: { type: 'queued' } }]);
    await engine.answer('generate', FINISH);
    await first.done;
    await engine.answer('generate', FINISH);
    await second.done;
    expect(second.heard.at(-1)).toEqual(FINISH);
  });

  test('background work makes way for a chat', async () => {
    const { host, engine } = await loadedHost();
    const title = reading(host, ask('small', { priority: 'background' }));
    await until(() => engine.calls.find(({ name }) => name === 'generate'));
    const chat = reading(host, ask('small'));
    await until(() => engine.calls.find(({ name }) => name === 'interrupt'));
    await engine.answer('generate', { ...FINISH, isInterrupted: true });
    await expect(title.done).rejects.toMatchObject({ code: 'interrupted', retryable: true });
    await engine.answer('generate', FINISH);
    await chat.done;
  });
});

describe('stopping', () => {
  test('the reader is free at once; the engine ends after its token and serves the next', async () => {
    const { host, engine, clock } = await loadedHost();
    const controller = new AbortController();
    const first = reading(host, ask('small'), controller.signal);
    await until(() => engine.calls.find(({ name }) => name === 'generate'));
    controller.abort();
    await expect(first.done).rejects.toThrow('abort');
    await until(() => engine.calls.find(({ name }) => name === 'interrupt'));
    await engine.answer('generate', { ...FINISH, isInterrupted: true });
    const second = reading(host, ask('small'));
    await engine.answer('generate', FINISH);
    await second.done;
    clock.advance(60_000);
    expect(engine.isEnded).toBe(false);
  });

  test('an engine that reads a prompt is ended after a while, and the next question starts another', async () => {
    const setup = await loadedHost();
    const { host, engine, clock } = setup;
    const controller = new AbortController();
    const first = reading(host, ask('small'), controller.signal);
    await until(() => engine.calls.find(({ name }) => name === 'generate'));
    controller.abort();
    await expect(first.done).rejects.toThrow('abort');
    const second = reading(host, ask('small'));
    await until(() => second.heard[0]);
    clock.advance(2_000);
    expect(engine.isEnded).toBe(true);
    const next = await engineOf(setup, 1);
    await next.answer('load', { contextTokens: 4096 });
    await next.answer('generate', FINISH);
    await second.done;
  });

  test('unloading frees the engine', async () => {
    const { host, engine } = await loadedHost();
    expect(host.isIdle).toBe(false);
    await host.act({ type: 'unload' }, NEVER);
    expect(engine.isEnded).toBe(true);
    expect(statusOf(host, 'small')).toBe('ready');
    expect(host.isIdle).toBe(true);
  });
});

describe('failures', () => {
  test.each(['out-of-memory', 'device-lost'] as const)(
    '%s names a smaller model, ends the engine, and the next send works',
    async (code) => {
      const setup = await loadedHost('large');
      const { host, engine } = setup;
      const first = reading(host, ask('large'));
      await engine.answer('generate', new AppError(code));
      await expect(first.done).rejects.toMatchObject({ code, details: { model: 'Model large', smaller: 'Model small' } });
      expect(engine.isEnded).toBe(true);
      const second = reading(host, ask('large'));
      const next = await engineOf(setup, 1);
      await next.answer('load', { contextTokens: 4096 });
      await next.answer('generate', FINISH);
      await second.done;
    },
  );

  test('an engine that dies in mid-answer keeps what was said', async () => {
    const { host, engine } = await loadedHost();
    const first = reading(host, ask('small'));
    await until(() => engine.calls.find(({ name }) => name === 'generate'));
    engine.say(said('Half'));
    engine.die();
    await expect(first.done).rejects.toMatchObject({ code: 'worker-died' });
    expect(first.heard.at(-1)).toEqual(said('Half'));
    expect(statusOf(host, 'small')).toBe('ready');
  });

  test('a load that fails cleanly may be tried again; one that took the engine with it is marked', async () => {
    const setup = await testHost();
    await downloaded(setup, 'small');
    const first = reading(setup.host, ask('small'));
    const engine = await engineOf(setup);
    await engine.answer('load', new AppError('model-load-failed'));
    await expect(first.done).rejects.toMatchObject({ code: 'model-load-failed', details: { model: 'Model small' } });
    expect(setup.host.view().entries.find(({ model }) => model.id === 'small')?.hasCrashed).toBe(false);

    const second = reading(setup.host, ask('small'));
    const next = await engineOf(setup, 1);
    await until(() => next.calls.find(({ name }) => name === 'load'));
    next.die();
    await expect(second.done).rejects.toMatchObject({ code: 'model-load-failed' });
    expect(setup.host.view().entries.find(({ model }) => model.id === 'small')?.hasCrashed).toBe(true);
    expect(await listLocalModels(setup.database)).toMatchObject([{ isLoading: true }]);

    const third = reading(setup.host, ask('small'));
    const last = await engineOf(setup, 2);
    await last.answer('load', { contextTokens: 4096 });
    await last.answer('generate', FINISH);
    await third.done;
    expect(setup.host.view().entries.find(({ model }) => model.id === 'small')?.hasCrashed).toBe(false);
  });

  test('a load that a dead tab left behind is known to the next one', async () => {
    const first = await testHost();
    await downloaded(first, 'small');
    void reading(first.host, ask('small'));
    await until(() => first.engines[0]?.calls.find(({ name }) => name === 'load'));
    const second = await testHost({ database: first.database });
    expect(second.host.view().entries.find(({ model }) => model.id === 'small')).toMatchObject({
      hasCrashed: true,
      status: { type: 'ready' },
    });
  });
});
