import type { ReasoningLevel } from '../../core/account';
import { isHost } from '../../outbound/host-policy';

type SaidLevel = Exclude<ReasoningLevel, 'auto'>;

/** How much thinking a model at a host can be told to do. */
export type EffortScale = 'common' | 'to-xhigh' | 'from-minimal' | 'from-low' | 'none';

/** What differs between hosts of the Responses protocol. */
export interface ResponsesQuirks {
  readonly efforts: EffortScale;
  /** Whether summaries of the thinking and its encrypted form can be asked for. */
  readonly summary: boolean;
  /** Whether the host finds a conversation's prefix by `prompt_cache_key`. */
  readonly cacheKey: boolean;
  /** Whether it gives the list of all pages of a search when asked for it. */
  readonly searchSources: boolean;
  /** Whether the result of a tool may hold pictures. */
  readonly resultImages: boolean;
  /** Whether temperature and top_p are refused. */
  readonly fixedSampling: boolean;
}

interface HostRow extends Partial<ResponsesQuirks> {
  readonly hosts: readonly string[];
}

interface ModelRow {
  readonly pattern: RegExp;
  readonly hosts?: readonly string[];
  readonly efforts?: EffortScale;
  readonly fixedSampling?: true;
}

const COMMON: ResponsesQuirks = {
  efforts: 'common',
  summary: true,
  cacheKey: false,
  searchSources: false,
  resultImages: false,
  fixedSampling: false,
};

const HOSTS: readonly HostRow[] = [
  { hosts: ['api.openai.com', '.openai.azure.com'], cacheKey: true, searchSources: true, resultImages: true },
  { hosts: ['.volces.com'], summary: false },
];

const OFFICIAL = ['api.openai.com'] as const;

const MODELS: readonly ModelRow[] = [
  { pattern: /^gpt-5\.([2-9]|\d\d)|codex/, hosts: OFFICIAL, efforts: 'to-xhigh' },
  { pattern: /^gpt-5(-(mini|nano|pro|\d{4}).*)?$/, hosts: OFFICIAL, efforts: 'from-minimal' },
  { pattern: /^o\d/, hosts: OFFICIAL, efforts: 'from-low' },
  { pattern: /^(o\d|gpt-5(?!.*chat))/, fixedSampling: true },
];

const EFFORTS: { readonly [scale in EffortScale]: { readonly [level in SaidLevel]: string | null } } = {
  common: { off: 'none', minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' },
  'to-xhigh': { off: 'none', minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh', max: 'xhigh' },
  // Can't be switched off; the least is the nearest.
  'from-minimal': { off: 'minimal', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' },
  'from-low': { off: 'low', minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' },
  none: { off: null, minimal: null, low: null, medium: null, high: null, xhigh: null, max: null },
};

/** What a request to this model at this host has to look like. */
export function responsesQuirksOf(baseUrl: string, modelId: string): ResponsesQuirks {
  const hostname = new URL(baseUrl).hostname;
  const host = HOSTS.find((row) => row.hosts.some((name) => isHost(hostname, name)));
  const name = modelId.toLowerCase().split('/').at(-1) ?? '';
  const rows = MODELS.filter((row) => row.pattern.test(name) && (row.hosts?.some((entry) => isHost(hostname, entry)) ?? true));
  const { hosts: _hosts, ...own } = host ?? { hosts: [] };
  return {
    ...COMMON,
    ...own,
    efforts: rows.find((row) => row.efforts !== undefined)?.efforts ?? COMMON.efforts,
    fixedSampling: rows.some((row) => row.fixedSampling === true),
  };
}

/** The word for a level, or undefined where nothing is said: the server decides. GPT-5 can't search with the least of thinking. */
export function effortOf(scale: EffortScale, level: ReasoningLevel, searches: boolean): string | undefined {
  if (level === 'auto') return undefined;
  const effort = EFFORTS[scale][level] ?? undefined;
  return effort === 'minimal' && searches ? 'low' : effort;
}
