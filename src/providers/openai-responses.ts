import type { Account, ModelCapabilities, ModelInfo } from '../core/account';
import type { ModelRequest } from '../core/request';
import { isKnown, lookUp } from './catalogue';
import type { Provider } from './provider';
import { connectionOf, readAnswer } from './shared/openai-client';
import { stopIfAborted } from './shared/until-aborted';
import type { LearntAdjustments } from './shared/adjusted-request';
import { fetchModelList, modelsUrl, openRequest } from './shared/openai-connection';
import { imageModel, makeImage } from './shared/openai-images';
import { responsesQuirksOf } from './shared/responses-quirks';
import { responsesBody, type ResponsesOptions } from './shared/responses-request';
import { createResponsesDecoder } from './shared/responses-stream';
import { wireNamesOf } from './shared/wire-names';

/**
 * The OpenAI Responses protocol. Answers are not kept by the server unless the account says so; thinking comes encrypted and goes back with
 * the next request. A parameter that a host refuses is left out and the request sent once more, as long as the worker lives.
 */
export function createOpenAiResponses(): Provider {
  const learnt: LearntAdjustments = new Map();
  return {
    id: 'openai-responses',
    name: 'OpenAI Responses',
    capabilities,
    modelsUrl,
    listModels: fetchModelList,
    imageModel,
    makeImage,
    async *stream(request, account, io) {
      stopIfAborted(io.signal);
      const { modelId } = request;
      const quirks = responsesQuirksOf(connectionOf(account, io.key).url, modelId);
      const body = responsesBody(request, { quirks, ...traitsOf(request, account), extra: account.body });
      const stream = await openRequest('/responses', { modelId, body }, account, io, learnt);
      const names = wireNamesOf(request);
      const decoder = createResponsesDecoder(io.newId, (name) => names.fromWire(name));
      yield* readAnswer(stream, decoder, account, io);
    },
  };
}

export const openAiResponses: Provider = createOpenAiResponses();

function capabilities(modelId: string, account: Account, listed?: ModelInfo): ModelCapabilities {
  const { audio: _audio, ...known } = listed?.capabilities ?? lookUp(modelId);
  const override = account.overrides[modelId] ?? {};
  // The search is a tool of the protocol, for models that call tools; PDF files are shown as pages.
  return { ...known, ...(known.vision ? { documents: true } : {}), ...(known.tools ? { hostedSearch: true } : {}), ...override };
}

function traitsOf({ modelId }: ModelRequest, account: Account): Pick<ResponsesOptions, 'reasons' | 'sees'> {
  const override = account.overrides[modelId];
  const known = lookUp(modelId);
  const isUnknown = !isKnown(modelId);
  return {
    reasons: override?.reasoning ?? (isUnknown ? 'unknown' : known.reasoning),
    sees: override?.vision ?? (known.vision || isUnknown),
  };
}
