import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startReplayServer, type ReplayServer } from '../../e2e/support/replay-server';
import { chatModels } from '../../src/core/account';
import { isAbort } from '../../src/core/errors';
import { createOpenAiChat } from '../../src/providers/openai-chat';
import { createOpenAiResponses } from '../../src/providers/openai-responses';
import { PROVIDERS } from '../../src/providers/index';
import type { ImageRequest, MadeImage, Provider } from '../../src/providers/provider';
import { readImageModels } from '../../src/providers/shared/image-models';
import { createTestGate, type TestGate } from '../outbound/test-gate';
import { codeOf } from '../storage/support';
import { noDevice } from '../support/no-device';
import { testAccount, TEST_KEY } from './run-provider';

const ids = (...models: readonly string[]): readonly string[] =>
  readImageModels({ data: models.map((id) => ({ id })) }).map(({ id }) => id);

describe('models that make pictures', () => {
  test('are those of the two families; nothing else of a list is one', () => {
    expect(ids('gpt-4o', 'gpt-5-image', 'openai/gpt-image-1', 'dall-e-3', 'gpt-image-1', 'imagen-4', 'dall-e-mini')).toEqual([
      'gpt-image-1',
      'dall-e-3',
    ]);
    for (const shape of [null, [], 'x', { data: 5 }, { data: [null, 'gpt-image-1', {}] }]) expect(readImageModels(shape)).toEqual([]);
  });

  test('are ordered: the newest first, the plain one before dated and small ones, the alias last of its family, then the older family', () => {
    const best = [
      'gpt-image-10',
      'gpt-image-2',
      'gpt-image-2-2026-04-21',
      'gpt-image-1.5',
      'gpt-image-1',
      'gpt-image-1-mini',
      'chatgpt-image-latest',
    ];
    const all = [...best, 'dall-e-3', 'dall-e-2'];
    expect(ids(...all.toReversed(), 'gpt-image-2')).toEqual(all);
  });
});

const LISTED = ['chat-b', 'gpt-image-1', 'chat-a', 'dall-e-2', 'gpt-image-2'].map((id) => ({ id }));
const lazy = (id: string): Provider => {
  const provider = PROVIDERS.find((candidate) => candidate.id === id);
  if (provider === undefined) throw new Error(id);
  return provider;
};

describe.each([
  ['openai-chat', createOpenAiChat()],
  ['openai-responses', createOpenAiResponses()],
  ['openai-chat, fetched when it is needed', lazy('openai-chat')],
])('%s', (_name, provider) => {
  let server: ReplayServer;
  let outbound: TestGate;
  beforeAll(async () => {
    server = await startReplayServer();
  });
  beforeEach(() => {
    outbound = createTestGate();
  });
  afterAll(() => server.close());

  const ioWith = (signal = new AbortController().signal) => ({
    gate: outbound.gate,
    key: TEST_KEY,
    signal,
    newId: () => 'id',
    ...noDevice,
  });

  const make = async (request: Partial<ImageRequest> = {}, signal?: AbortSignal): Promise<MadeImage> => {
    if (provider.makeImage === undefined) throw new Error('it makes none');
    const account = testAccount(server.url, { body: { temperature: 1 } });
    return provider.makeImage({ modelId: 'gpt-image-2', prompt: 'A fox', shape: 'square', ...request }, account, ioWith(signal));
  };

  const answer = (body: unknown): void => {
    server.enqueue({ type: 'raw', contentType: 'application/json', pieces: [JSON.stringify(body)] });
  };

  test('lists them after the models that chat, and picks the best', async () => {
    server.setModels(LISTED);
    const account = testAccount(server.url);
    const models = await provider.listModels(account, ioWith());
    expect(models.map(({ id }) => id)).toEqual(['chat-a', 'chat-b', 'gpt-image-2', 'gpt-image-1', 'dall-e-2']);
    expect(chatModels(models).map(({ id }) => id)).toEqual(['chat-a', 'chat-b']);
    expect(provider.imageModel?.(account, models)).toBe('gpt-image-2');
    expect(provider.imageModel?.(account, chatModels(models))).toBeNull();
  });

  test('asks for one picture with the key, and gives its bytes', async () => {
    answer({ created: 1, data: [{ b64_json: 'AAAA' }], output_format: 'webp' });
    expect(await make()).toEqual({ mimeType: 'image/webp', base64: 'AAAA' });
    const request = server.requests.at(-1);
    expect(request).toMatchObject({ method: 'POST', path: '/v1/images/generations' });
    expect(request?.headers['authorization']).toBe(`Bearer ${TEST_KEY}`);
    expect(request?.body).toEqual({ model: 'gpt-image-2', prompt: 'A fox', n: 1, size: '1024x1024' });
    expect(await outbound.nextRow()).toMatchObject({ purpose: 'model', method: 'POST', outcome: 'answered' });
  });

  test.each([
    ['gpt-image-1', 'landscape', { size: '1536x1024' }],
    ['gpt-image-1', 'portrait', { size: '1024x1536' }],
    ['dall-e-3', 'landscape', { size: '1792x1024', response_format: 'b64_json' }],
    ['dall-e-3', 'portrait', { size: '1024x1792', response_format: 'b64_json' }],
    ['dall-e-2', 'portrait', { size: '1024x1024', response_format: 'b64_json' }],
  ] as const)('asks %s for a %s picture in its own words', async (modelId, shape, fields) => {
    answer({ data: [{ b64_json: 'AAAA' }] });
    expect(await make({ modelId, shape })).toEqual({ mimeType: 'image/png', base64: 'AAAA' });
    expect(server.requests.at(-1)?.body).toEqual({ model: modelId, prompt: 'A fox', n: 1, ...fields });
  });

  test.each([
    [401, { error: { message: `Incorrect API key provided: ${TEST_KEY}.` } }, 'auth'],
    [429, { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }, 'rate-limit'],
    [400, { error: { message: 'Your request was rejected by our moderation system.', code: 'content_policy_violation' } }, 'refused'],
    [400, { error: { message: 'Billing hard limit has been reached', code: 'billing_hard_limit_reached' } }, 'quota'],
    [404, { error: { message: 'The model gpt-image-2 does not exist', code: 'model_not_found' } }, 'model-not-found'],
  ] as const)('tells a refusal of status %i by its code, and asks no second time', async (status, body, code) => {
    const before = server.requests.length;
    server.enqueue({ type: 'error', status, body });
    expect(await codeOf(make())).toBe(code);
    expect(server.requests.length).toBe(before + 1);
  });

  test.each([{ data: [{ url: 'https://pictures.example/a.png' }] }, { data: [] }, {}, { data: [{ b64_json: '' }] }])(
    'follows no address in place of a picture: %j',
    async (body) => {
      answer(body);
      const before = server.requests.length;
      expect(await codeOf(make())).toBe('provider-error');
      expect(server.requests.length).toBe(before + 1);
      expect(outbound.rows.every(({ origin }) => origin === server.origin)).toBe(true);
    },
  );

  test('hangs up when it is stopped while the picture is being made', async () => {
    const controller = new AbortController();
    const before = server.requests.length;
    server.enqueue({ type: 'hang' });
    const made = make({}, controller.signal).catch((error: unknown) => error);
    while (server.requests.length === before) await server.nextRequest();
    controller.abort();
    expect(isAbort(await made)).toBe(true);
    expect((await server.nextClose()).request.path).toBe('/v1/images/generations');
  });
});

test('a provider that makes none says so in its own code', async () => {
  const provider = lazy('anthropic-messages');
  const io = { gate: createTestGate().gate, key: null, signal: new AbortController().signal, newId: () => 'id', ...noDevice };
  const request = { modelId: 'x', prompt: 'x', shape: 'square' } as const;
  expect(await codeOf(Promise.resolve(provider.makeImage?.(request, testAccount('https://example.test'), io)))).toBe('request-rejected');
});
