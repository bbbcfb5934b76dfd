import type { Account, ModelCapabilities, ModelInfo } from '../core/account';
import type { ModelRequest } from '../core/request';
import { isKnown, lookUp } from './catalogue';
import type { Provider } from './provider';
import { chatBody } from './shared/openai-request';
import { createChunkDecoder } from './shared/openai-chunks';
import { connectionOf, readAnswer } from './shared/openai-client';
import { stopIfAborted } from './shared/until-aborted';
import type { LearntAdjustments } from './shared/adjusted-request';
import { fetchModelList, modelsUrl, openRequest } from './shared/openai-connection';
import { imageModel, makeImage } from './shared/openai-images';
import { quirksOf } from './shared/openai-quirks';
import { wireNamesOf } from './shared/wire-names';

/**
 * The OpenAI Chat Completions protocol, as its maker and some fifty other servers speak it. Differences between hosts are data in
 * `shared/`. A parameter that a host refuses is left out and the request sent once more; that is remembered as long as the worker lives.
 */
export function createOpenAiChat(): Provider {
  const learnt: LearntAdjustments = new Map();
  return {
    id: 'openai-chat',
    name: 'OpenAI Chat Completions',
    capabilities,
    modelsUrl,
    listModels: fetchModelList,
    imageModel,
    makeImage,
    async *stream(request, account, io) {
      stopIfAborted(io.signal);
      const { url } = connectionOf(account, io.key);
      const body = chatBody(request, {
        quirks: quirksOf(url, account.preset, request.modelId),
        ...traitsOf(request, account),
        extra: account.body,
      });
      const stream = await openRequest('/chat/completions', { modelId: request.modelId, body }, account, io, learnt);
      const names = wireNamesOf(request);
      yield* readAnswer(
        stream,
        createChunkDecoder(io.newId, (name) => names.fromWire(name)),
        account,
        io,
      );
    },
  };
}

export const openAiChat: Provider = createOpenAiChat();

function capabilities(modelId: string, account: Account, listed?: ModelInfo): ModelCapabilities {
  const override = account.overrides[modelId] ?? {};
  const known = listed?.capabilities ?? lookUp(modelId);
  const { files, hostedSearch } = quirksFor(modelId, account);
  const { audio, documents, ...common } = known;
  return {
    ...common,
    ...(files.includes('audio') && audio === true ? { audio } : {}),
    // A host that takes PDF files shows their pages to models that see.
    ...(files.includes('document') && (documents ?? known.vision) ? { documents: true } : {}),
    ...(hostedSearch === null ? {} : { hostedSearch: true }),
    ...override,
  };
}

function quirksFor(modelId: string, account: Account): ReturnType<typeof quirksOf> {
  // The catalogue is also asked while an address is being typed.
  const { baseUrl } = account;
  return quirksOf(URL.canParse(baseUrl) ? baseUrl : 'https://unknown.invalid', account.preset, modelId);
}

/** What is known of the model by hand or by name. */
function traitsOf({ modelId }: ModelRequest, account: Account): { readonly reasons: boolean; readonly sees: boolean } {
  const override = account.overrides[modelId];
  const known = lookUp(modelId);
  return {
    // A model nobody knows is told too: the user chose a level for it, and a refusal is answered.
    reasons: override?.reasoning ?? (known.reasoning || !isKnown(modelId)),
    sees: override?.vision ?? (known.vision || !isKnown(modelId)),
  };
}
