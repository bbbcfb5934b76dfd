import type { Usage } from '../../core/node';
import { numberAt, recordAt, type UnknownRecord } from '../../outbound/json';

/** Counts in one form: reasoning is part of the output, cached tokens are part of the input, however the server counts. */
export function readResponsesUsage(usage: UnknownRecord): Usage | undefined {
  const inputTokens = numberAt(usage, 'input_tokens');
  const output = numberAt(usage, 'output_tokens');
  if (inputTokens === undefined && output === undefined) return undefined;
  const reasoningTokens = numberAt(recordAt(usage, 'output_tokens_details'), 'reasoning_tokens');
  const cachedTokens = numberAt(recordAt(usage, 'input_tokens_details'), 'cached_tokens');
  const total = numberAt(usage, 'total_tokens');
  // Some servers count reasoning beside the output; the total shows it.
  const isBeside =
    total !== undefined &&
    reasoningTokens !== undefined &&
    reasoningTokens > 0 &&
    total === (inputTokens ?? 0) + (output ?? 0) + reasoningTokens;
  const outputTokens = output !== undefined && isBeside ? output + reasoningTokens : output;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
  };
}
