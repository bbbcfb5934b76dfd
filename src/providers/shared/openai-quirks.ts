import type { JsonObject } from '../../core/errors';
import { isHost } from '../../outbound/host-policy';
import type { ReasoningDialect } from './reasoning';
import { COMMON_IDS, type IdRule } from './wire-ids';

export type MaxTokensField = 'max_tokens' | 'max_completion_tokens';

/** What differs between hosts of one protocol. */
export interface HostQuirks {
  readonly maxTokens: MaxTokensField;
  /** Whether `stream_options.include_usage` is known; where it isn't, usage comes by itself. */
  readonly streamOptions: boolean;
  readonly reasoning: ReasoningDialect;
  /** Fields of a last assistant message that the model is to continue. */
  readonly prefill: JsonObject;
  /**
   * How thinking goes back. `text`: as `reasoning_content` in the running tool loop; `always`: there even where it is empty; `details`: the
   * host's own `reasoning_details`.
   */
  readonly reasoningBack: 'none' | 'text' | 'always' | 'details';
  readonly ids: IdRule;
  /** Its word for "call a tool, whichever". */
  readonly anyTool: 'required' | 'any';
  /** Where a picture that a tool made is seen: in the result itself, or in a message of the user after it. */
  readonly resultImages: 'result' | 'user';
  /** Whether a message of the assistant may hold a picture. */
  readonly assistantImages: boolean;
  /** Kinds of files that stand in a message of the user. */
  readonly files: readonly ('audio' | 'document')[];
  /** The field that finds the prefix in the host's cache; a host that doesn't know it refuses the request. */
  readonly cacheKey: { readonly field: string; readonly maxLength: number } | null;
  /** Fields that let the host search the web; null where it can't. */
  readonly hostedSearch: JsonObject | null;
}

/** What a request to one model at one host has to look like. */
export interface ModelQuirks extends HostQuirks {
  /** Refuses any temperature or top_p but its own. */
  readonly fixedSampling: boolean;
}

interface HostRow extends Partial<HostQuirks> {
  readonly presets: readonly string[];
  readonly hosts: readonly string[];
}

interface ModelRow {
  readonly pattern: RegExp;
  readonly maxTokens?: MaxTokensField;
  readonly fixedSampling?: true;
  readonly reasoning?: ReasoningDialect;
  readonly hostedSearch?: JsonObject;
  /** Only at these hosts; everywhere where absent. */
  readonly hosts?: readonly string[];
}

const COMMON: HostQuirks = {
  maxTokens: 'max_tokens',
  streamOptions: true,
  reasoning: 'effort',
  prefill: {},
  reasoningBack: 'none',
  ids: COMMON_IDS,
  anyTool: 'required',
  resultImages: 'user',
  assistantImages: true,
  files: [],
  cacheKey: null,
  hostedSearch: null,
};

/** OpenAI takes ids of 40 characters, and from the assistant nothing but text. */
const OPENAI = {
  maxTokens: 'max_completion_tokens',
  ids: { valid: /^\S{1,40}$/, madeLength: 10 },
  assistantImages: false,
  files: ['audio', 'document'],
} satisfies Partial<HostQuirks>;

const HOSTS: readonly HostRow[] = [
  { ...OPENAI, presets: ['openai'], hosts: ['api.openai.com'], cacheKey: { field: 'prompt_cache_key', maxLength: 64 } },
  { ...OPENAI, presets: ['azure'], hosts: ['.openai.azure.com', '.services.ai.azure.com', '.cognitiveservices.azure.com'] },
  {
    presets: ['openrouter'],
    hosts: ['openrouter.ai'],
    reasoning: 'openrouter',
    reasoningBack: 'details',
    resultImages: 'result',
    files: ['audio', 'document'],
    // A field, not its header: a page may not send headers of that name there.
    cacheKey: { field: 'session_id', maxLength: 256 },
    hostedSearch: { plugins: [{ id: 'web' }] },
  },
  { presets: ['deepseek'], hosts: ['api.deepseek.com'], reasoning: 'deepseek', prefill: { prefix: true }, reasoningBack: 'always' },
  {
    presets: ['mistral'],
    hosts: ['api.mistral.ai'],
    streamOptions: false,
    reasoning: 'none',
    prefill: { prefix: true },
    ids: { valid: /^[a-zA-Z0-9]{9}$/, madeLength: 9 },
    anyTool: 'any',
    resultImages: 'result',
  },
  {
    presets: ['moonshot'],
    hosts: ['.moonshot.ai', '.moonshot.cn'],
    reasoning: 'switch',
    prefill: { partial: true },
    reasoningBack: 'text',
  },
  { presets: ['qwen'], hosts: ['.aliyuncs.com'], reasoning: 'budget', prefill: { partial: true } },
  { presets: ['zai', 'bigmodel'], hosts: ['api.z.ai', '.bigmodel.cn'], reasoning: 'switch', reasoningBack: 'text' },
  { presets: [], hosts: ['api.xiaomimimo.com'], reasoning: 'switch', reasoningBack: 'always' },
  { presets: [], hosts: ['.volces.com'], reasoning: 'switch' },
  { presets: [], hosts: ['api.siliconflow.cn', 'api.siliconflow.com', 'aiping.cn'], reasoning: 'boolean' },
  { presets: [], hosts: ['.intern-ai.org.cn'], reasoning: 'mode' },
  { presets: [], hosts: ['opencode.ai'], reasoning: 'effort-from-none' },
  { presets: ['llamacpp', 'vllm'], hosts: [], reasoning: 'template' },
];

const MODELS: readonly ModelRow[] = [
  {
    pattern: /-search-preview/,
    hosts: ['api.openai.com'],
    fixedSampling: true,
    hostedSearch: { web_search_options: { search_context_size: 'medium' } },
  },
  { pattern: /^o\d/, maxTokens: 'max_completion_tokens', fixedSampling: true },
  { pattern: /^gpt-5(-(mini|nano|pro|codex|\d{4}).*)?$/, maxTokens: 'max_completion_tokens', fixedSampling: true },
  { pattern: /^gpt-5/, maxTokens: 'max_completion_tokens' },
  { pattern: /^gpt-5(-(mini|nano|\d{4}).*)?$/, hosts: ['api.openai.com'], reasoning: 'effort-from-minimal' },
  { pattern: /^gpt-5\.\d/, hosts: ['api.openai.com'], reasoning: 'effort-from-none' },
  { pattern: /^kimi-k(2\.[56]|3)/, fixedSampling: true },
  { pattern: /^deepseek-v4/, hosts: ['integrate.api.nvidia.com'], reasoning: 'effort-to-max' },
  { pattern: /seed-1-6-lite/, hosts: ['.volces.com'], reasoning: 'switch-effort' },
];

/** What a request to this model at this host has to look like. The host decides before the preset, which may have another address by now. */
export function quirksOf(baseUrl: string, preset: string, modelId: string): ModelQuirks {
  const hostname = new URL(baseUrl).hostname;
  const host = HOSTS.find((row) => row.hosts.some((name) => isHost(hostname, name))) ?? HOSTS.find((row) => row.presets.includes(preset));
  // Routers put the maker before the name.
  const name = modelId.toLowerCase().split('/').at(-1) ?? '';
  const rows = MODELS.filter((row) => row.pattern.test(name) && (row.hosts?.some((entry) => isHost(hostname, entry)) ?? true));
  const quirks = { ...COMMON, ...host };
  const isRouter = quirks.reasoning === 'openrouter';
  return {
    ...quirks,
    // A router translates the common name itself.
    maxTokens: (isRouter ? undefined : rows.find((row) => row.maxTokens !== undefined)?.maxTokens) ?? quirks.maxTokens,
    reasoning: rows.find((row) => row.reasoning !== undefined)?.reasoning ?? quirks.reasoning,
    hostedSearch: rows.find((row) => row.hostedSearch !== undefined)?.hostedSearch ?? quirks.hostedSearch,
    fixedSampling: rows.some((row) => row.fixedSampling === true),
  };
}
