import type { ModelCapabilities } from '../core/account';
import { AppError } from '../core/errors';
import { LOCAL_ACCOUNT, modelInfoOf } from '../core/local-model';
import type { Provider } from './provider';
import { createChunkDecoder } from './shared/openai-chunks';
import { quirksOf } from './shared/openai-quirks';
import { chatBody } from './shared/openai-request';
import { wireNamesOf } from './shared/wire-names';

/** No host, no preset: what every server of the protocol takes, the engines take too. */
const PLAIN_HOST = 'http://localhost/';

const UNKNOWN: ModelCapabilities = { vision: false, tools: true, reasoning: false, contextTokens: null };

/**
 * Models on this device. They speak Chat Completions like most servers, only that nothing is sent anywhere: the engine of this browser
 * profile answers, in this tab or in another one.
 */
export const onDevice: Provider = {
  id: LOCAL_ACCOUNT.provider,
  name: 'On this device',
  modelsUrl: () => {
    throw new AppError('address-invalid');
  },
  async listModels(_account, io) {
    const { entries } = await io.local.look();
    return entries.filter(({ status }) => 'storedBytes' in status).map(({ model }) => modelInfoOf(model));
  },
  // Every tool costs a small model's window and its user's patience: they are offered only where the user says that it calls tools well.
  capabilities: (modelId, account, listed) => ({ ...(listed?.capabilities ?? UNKNOWN), tools: false, ...account.overrides[modelId] }),
  async *stream(request, account, io) {
    const sees = account.overrides[request.modelId]?.vision ?? false;
    const { model: _model, ...body } = chatBody(request, {
      quirks: quirksOf(PLAIN_HOST, account.preset, request.modelId),
      reasons: false,
      sees,
      extra: account.body,
    });
    const names = wireNamesOf(request);
    const decoder = createChunkDecoder(io.newId, (name) => names.fromWire(name));
    const thinking = request.reasoning === 'auto' ? null : request.reasoning !== 'off';
    for await (const event of io.local.generate({ modelId: request.modelId, body, thinking, priority: 'chat' }, io.signal)) {
      if (event.type === 'wait') yield event;
      else if (event.type === 'chunk') yield* decoder.push(event.chunk);
      else if (event.isInterrupted) throw new AppError('stream-cut', { retryable: true });
    }
    yield* decoder.end(false);
  },
};
