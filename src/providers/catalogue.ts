import type { ModelCapabilities } from '../core/account';

/** `v`: sees images, `t`: calls tools, `r`: reasons. Context in thousands of tokens (1,000 as makers count them), 0 where it varies. */
type Row = readonly [name: string, abilities: string, contextThousands: number];

/**
 * Known model families by the words of their ids. A row fits when all its words stand in the id in that order; the row with the most words
 * wins, so a variant is one more row with one more word.
 */
const FAMILIES: readonly Row[] = [
  ['gpt 3 5', 't', 16],
  ['gpt 4', 't', 8],
  ['gpt 4 turbo', 'vt', 128],
  ['gpt 4o', 'vt', 128],
  ['gpt 4 1', 'vt', 1_047],
  ['gpt 4 5', 'vt', 128],
  ['gpt 5', 'vtr', 400],
  ['gpt 5 chat', 'vt', 128],
  ['gpt oss', 'tr', 131],
  ['chatgpt 4o', 'v', 128],
  ['o1', 'vtr', 200],
  ['o1 mini', 'r', 128],
  ['o1 preview', 'r', 128],
  ['o3', 'vtr', 200],
  ['o3 mini', 'tr', 200],
  ['o4 mini', 'vtr', 200],
  ['claude', 'vt', 200],
  ['claude 3', 'vt', 200],
  ['claude 3 7', 'vtr', 200],
  ['claude sonnet', 'vtr', 200],
  ['claude opus', 'vtr', 200],
  ['claude haiku', 'vtr', 200],
  ['claude fable', 'vtr', 200],
  ['gemini', 'vt', 1_048],
  ['gemini 2 5', 'vtr', 1_048],
  ['gemini 3', 'vtr', 1_048],
  ['gemini flash latest', 'vtr', 1_048],
  ['gemini pro latest', 'vtr', 1_048],
  ['gemma 2', '', 8],
  ['gemma 3', 'v', 128],
  ['gemma 3 1b', '', 32],
  ['gemma 3n', 'v', 32],
  ['gemma 4', 'vtr', 128],
  ['llama 3', '', 8],
  ['llama 3 1', 't', 128],
  ['llama 3 2', 't', 128],
  ['llama 3 2 vision', 'v', 128],
  ['llama 3 3', 't', 128],
  ['llama 4', 'vt', 1_048],
  ['llava', 'v', 4],
  ['minicpm v', 'v', 32],
  ['moondream', 'v', 2],
  ['pixtral', 'vt', 128],
  ['mistral', 't', 32],
  ['mistral small', 'vt', 128],
  ['mistral medium', 'vt', 128],
  ['mistral large', 't', 128],
  ['ministral', 't', 128],
  ['magistral', 'vtr', 128],
  ['codestral', 't', 256],
  ['devstral', 't', 128],
  ['deepseek', 't', 128],
  ['deepseek chat', 't', 128],
  ['deepseek reasoner', 'tr', 128],
  ['deepseek r1', 'r', 128],
  ['deepseek v3', 't', 128],
  ['deepseek v3 1', 'tr', 128],
  ['deepseek v3 2', 'tr', 128],
  ['deepseek v4', 'tr', 1_000],
  ['qwen', 't', 32],
  ['qwen 2 5 vl', 'vt', 128],
  ['qwen 3', 'tr', 128],
  ['qwen 3 instruct', 't', 256],
  ['qwen 3 thinking', 'tr', 256],
  ['qwen 3 coder', 't', 256],
  ['qwen 3 vl', 'vtr', 256],
  ['qwen 3 vl instruct', 'vt', 256],
  ['qwen 3 vl thinking', 'vtr', 256],
  ['qwen plus', 'tr', 1_000],
  ['qwen max', 't', 262],
  ['qwen vl', 'v', 32],
  ['qwq', 'tr', 131],
  ['qvq', 'vr', 131],
  ['grok 2 vision', 'v', 32],
  ['grok 3', 't', 131],
  ['grok 3 mini', 'tr', 131],
  ['grok 4', 'vtr', 256],
  ['grok 4 fast', 'vtr', 2_000],
  ['grok 4 fast non reasoning', 'vt', 2_000],
  ['kimi k2', 't', 262],
  ['kimi k2 thinking', 'tr', 262],
  ['kimi k2 5', 'vtr', 262],
  ['kimi k2 6', 'vtr', 262],
  ['kimi k3', 'vtr', 262],
  ['moonshot v1', 't', 128],
  ['moonshot v1 vision', 'vt', 128],
  ['glm 4', 't', 128],
  ['glm 4 5', 'tr', 131],
  ['glm 4 5v', 'vtr', 66],
  ['glm 4 6', 'tr', 204],
  ['glm 4 7', 'tr', 204],
  ['glm 5', 'tr', 204],
  ['minimax m2', 'tr', 204],
  ['command r', 't', 128],
  ['command a', 't', 256],
  ['phi 4', '', 16],
  ['phi 4 reasoning', 'r', 32],
  ['smollm', '', 8],
  ['granite', 't', 128],
  ['sonar', 'v', 128],
  ['sonar reasoning', 'vr', 128],
  ['nemotron', 'tr', 128],
  ['hermes', 't', 128],
];

/** An unknown model is offered tools, which most have by now, but no image: a refused picture loses a message, a refused tool doesn't. */
const UNKNOWN: ModelCapabilities = { vision: false, tools: true, reasoning: false, contextTokens: null };

/** Words in ids of models that don't chat. */
const OTHER_KINDS =
  /(^|[^a-z])(embed\w*|bge|gte|e5|whisper|tts|dall-?e|moderation|rerank\w*|transcribe|realtime|audio|speech|image|imagine|sora|veo|flux|stable-diffusion|ocr|guard|nomic)([^a-z]|$)/;

/** What is known of a model by its id alone. */
export function lookUp(modelId: string): ModelCapabilities {
  const words = wordsOf(modelId);
  let best: Row | undefined;
  let bestCount = 0;
  for (const row of FAMILIES) {
    const wanted = row[0].split(' ');
    if (wanted.length > bestCount && isSubsequence(wanted, words)) {
      best = row;
      bestCount = wanted.length;
    }
  }
  if (best === undefined) return UNKNOWN;
  const [, abilities, thousands] = best;
  return {
    vision: abilities.includes('v'),
    tools: abilities.includes('t'),
    reasoning: abilities.includes('r'),
    contextTokens: thousands === 0 ? null : thousands * 1000,
  };
}

/** Whether the catalogue has a family for this id. */
export function isKnown(modelId: string): boolean {
  return lookUp(modelId) !== UNKNOWN;
}

/** Whether a model's id says that it makes vectors, pictures or sound instead of answers. */
export function isOtherKind(modelId: string): boolean {
  return OTHER_KINDS.test(modelId.toLowerCase());
}

/**
 * The words of an id: runs of letters and digits, and for a run of letters with a number at its end also the two apart, so that `qwen3`
 * is found as `qwen 3` and `o3` as `o3`.
 */
function wordsOf(modelId: string): readonly string[] {
  const runs = modelId.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return runs.flatMap((run) => {
    const split = /^([a-z]{2,})(\d+)$/.exec(run);
    return split?.[1] === undefined || split[2] === undefined ? [run] : [run, split[1], split[2]];
  });
}

function isSubsequence(wanted: readonly string[], words: readonly string[]): boolean {
  let next = 0;
  for (const word of words) if (word === wanted[next]) next += 1;
  return next === wanted.length;
}
