import type { Part, StepContent } from './node';

// English prose has about four characters a token in today's vocabularies, a Han or kana character about one token each.
const CHARACTERS_PER_TOKEN = 4;
const MESSAGE_OVERHEAD_TOKENS = 4;
const MEDIA_TOKENS = { image: 1024, audio: 4096, document: 1024 } as const;
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/g;

/** Tokens of a text: 1 for each CJK character, the rest ⌈n / 4⌉ UTF-16 units; blank text is 0. */
export function estimateTextTokens(text: string): number {
  if (text.trim() === '') return 0;
  const cjk = text.match(CJK)?.length ?? 0;
  return cjk + Math.ceil((text.length - cjk) / CHARACTERS_PER_TOKEN);
}

/** Tokens of a message: the larger of its estimated parts and the reported output, plus 4. */
export function estimateMessageTokens(steps: readonly StepContent[]): number {
  const estimated = steps.flatMap((step) => step.parts).reduce((sum, part) => sum + estimatePartTokens(part), 0);
  const reported = steps.reduce((sum, step) => sum + (step.usage?.outputTokens ?? 0), 0);
  return Math.max(estimated, reported) + MESSAGE_OVERHEAD_TOKENS;
}

function estimatePartTokens(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return estimateTextTokens(part.text);
    case 'media':
      return MEDIA_TOKENS[part.kind];
    case 'tool':
      return estimateTextTokens(part.name) + estimateTextTokens(part.argumentsText) + estimateTextTokens(part.result?.text ?? '');
    case 'citation':
    case 'hosted':
      return 0;
  }
}
