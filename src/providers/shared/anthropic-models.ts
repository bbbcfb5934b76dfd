/**
 * How a model is told to think: not at all, by a budget of tokens, by a budget as the protocol's other hosts take it, or by an effort that
 * it adapts to the question.
 */
export type ThinkingStyle = 'none' | 'budget' | 'host-budget' | 'adaptive';

/** What a request to a model of this protocol has to look like. */
export interface AnthropicModel {
  readonly thinking: ThinkingStyle;
  /** The highest effort levels it knows beyond `high`. */
  readonly efforts: readonly ('xhigh' | 'max')[];
  /** The most tokens an answer may have; a request for more is refused. */
  readonly maxOutputTokens: number;
  /** Which of temperature and top_p it takes: both, one of them, or none. */
  readonly sampling: 'both' | 'one' | 'none';
  /** Whether it reads PDF files and its server searches the web. */
  readonly documents: boolean;
  readonly hostedSearch: boolean;
}

interface Version {
  /** `opus`, `sonnet`, …; empty where the id says none. */
  readonly family: string;
  /** Major and minor as one number: 405 is 4.5. */
  readonly number: number;
}

type Row = readonly [family: RegExp, from: number, model: Partial<AnthropicModel>];

const OLDEST: AnthropicModel = {
  thinking: 'none',
  efforts: [],
  maxOutputTokens: 4_096,
  sampling: 'both',
  documents: false,
  hostedSearch: false,
};

/** What changed with which version; later rows lie over earlier ones. Limits as the maker publishes them. */
const CHANGES: readonly Row[] = [
  [/./, 305, { maxOutputTokens: 8_192, documents: true, hostedSearch: true }],
  [/./, 307, { thinking: 'budget', maxOutputTokens: 64_000 }],
  [/opus/, 400, { maxOutputTokens: 32_000 }],
  [/opus/, 401, { sampling: 'one' }],
  [/./, 405, { maxOutputTokens: 64_000, sampling: 'one' }],
  [/./, 406, { thinking: 'adaptive', maxOutputTokens: 128_000 }],
  [/opus/, 406, { efforts: ['max'] }],
  [/./, 407, { efforts: ['xhigh', 'max'], sampling: 'none' }],
];

/** Models of other makers that speak this protocol: their limits are not ours to know. */
const FOREIGN: AnthropicModel = {
  thinking: 'host-budget',
  efforts: [],
  maxOutputTokens: Number.POSITIVE_INFINITY,
  sampling: 'both',
  documents: false,
  hostedSearch: false,
};

/** What is known of a model by its id, wherever a router puts its maker's name or a date. */
export function anthropicModel(modelId: string): AnthropicModel {
  const version = versionOf(modelId);
  if (version === undefined) return FOREIGN;
  const applying = CHANGES.filter(([family, from]) => version.number >= from && family.test(version.family || 'any'));
  return applying.reduce<AnthropicModel>((model, [, , change]) => ({ ...model, ...change }), OLDEST);
}

/** The version in an id of the Claude family, before or after the family's name; the newest where the id has none. */
function versionOf(modelId: string): Version | undefined {
  const name = /claude(.*)$/.exec(modelId.toLowerCase())?.[1];
  if (name === undefined) return undefined;
  // Dates and revisions have more digits or other letters.
  const words = name.match(/[a-z]+|\d+/g) ?? [];
  const start = words.findIndex((word) => /^\d{1,2}$/.test(word));
  const family = words.find((word) => /^[a-z]{4,}$/.test(word)) ?? '';
  if (start === -1) return { family, number: Number.POSITIVE_INFINITY };
  const minor = words[start + 1] ?? '';
  return { family, number: Number(words[start]) * 100 + (/^\d{1,2}$/.test(minor) ? Number(minor) : 0) };
}
