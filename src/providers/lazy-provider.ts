import { AppError } from '../core/errors';
import type { Provider } from './provider';

/**
 * A provider whose protocol is fetched with its first use: most people speak one of them, and none is needed before the first message. The
 * file is kept for offline use like all others. What can't be fetched rejects every method; the next use tries again.
 */
export function lazyProvider(id: string, name: string, load: () => Promise<Provider>): Provider {
  return {
    id,
    name,
    modelsUrl: async (account) => (await load()).modelsUrl(account),
    listModels: async (account, io) => (await load()).listModels(account, io),
    capabilities: async (modelId, account, listed) => (await load()).capabilities(modelId, account, listed),
    // Only lists of providers that make pictures have such a model, so that this can be told without fetching the protocol.
    imageModel: (_account, listed) => listed.find(({ makesImages }) => makesImages === true)?.id ?? null,
    makeImage: async (request, account, io) => {
      const provider = await load();
      if (provider.makeImage === undefined) throw new AppError('request-rejected', { details: { provider: id, reason: 'no-images' } });
      return provider.makeImage(request, account, io);
    },
    async *stream(request, account, io) {
      yield* (await load()).stream(request, account, io);
    },
  };
}
