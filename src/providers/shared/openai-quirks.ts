import type { JsonObject } from '../../core/errors';
import { isHost } from '../../outbound/host-policy';
import type { ReasoningDialect } from './reasoning';

export type MaxTokensField = 'max_tokens' | 'max_completion_tokens';

/** What differs between hosts of one protocol. */
export interface HostQuirks {
  readonly maxTokens: MaxTokensField;
  /** Whether `stream_options.include_usage` is known; where it isn't, usage comes by itself. */
  readonly streamOptions: boolean;
  readonly reasoning: ReasoningDialect;
  /** Fields of a last assistant message that the model is to continue. */
  readonly prefill: JsonObject;
}

interface HostRow extends Partial<HostQuirks> {
  readonly presets: readonly string[];
  readonly hosts: readonly string[];
}

interface ModelRow {
  readonly pattern: RegExp;
  readonly maxTokens?: MaxTokensField;
  /** Refuses any temperature or top_p but its own. */
  readonly fixedSampling?: true;
  readonly reasoning?: ReasoningDialect;
  /** Only at these hosts; everywhere where absent. */
  readonly hosts?: readonly string[];
}

const COMMON: HostQuirks = { maxTokens: 'max_tokens', streamOptions: true, reasoning: 'effort', prefill: {} };

const HOSTS: readonly HostRow[] = [
  { presets: ['openai'], hosts: ['api.openai.com'], maxTokens: 'max_completion_tokens' },
  { presets: ['openrouter'], hosts: ['openrouter.ai'], reasoning: 'openrouter' },
  { presets: ['deepseek'], hosts: ['api.deepseek.com'], reasoning: 'deepseek', prefill: { prefix: true } },
  { presets: ['mistral'], hosts: ['api.mistral.ai'], streamOptions: false, reasoning: 'none', prefill: { prefix: true } },
  { presets: ['moonshot'], hosts: ['.moonshot.ai', '.moonshot.cn'], reasoning: 'switch', prefill: { partial: true } },
  { presets: ['qwen'], hosts: ['.aliyuncs.com'], reasoning: 'budget', prefill: { partial: true } },
  { presets: ['zai'], hosts: ['api.z.ai', '.bigmodel.cn'], reasoning: 'switch' },
  { presets: [], hosts: ['.volces.com', 'api.xiaomimimo.com'], reasoning: 'switch' },
  { presets: [], hosts: ['api.siliconflow.cn', 'api.siliconflow.com', 'aiping.cn'], reasoning: 'boolean' },
  { presets: [], hosts: ['opencode.ai'], reasoning: 'effort-from-none' },
  { presets: ['llamacpp', 'vllm'], hosts: [], reasoning: 'template' },
];

const MODELS: readonly ModelRow[] = [
  { pattern: /^o\d/, maxTokens: 'max_completion_tokens', fixedSampling: true },
  { pattern: /^gpt-5(-(mini|nano|pro|codex|\d{4}).*)?$/, maxTokens: 'max_completion_tokens', fixedSampling: true },
  { pattern: /^gpt-5/, maxTokens: 'max_completion_tokens' },
  { pattern: /^gpt-5(-(mini|nano|\d{4}).*)?$/, hosts: ['api.openai.com'], reasoning: 'effort-from-minimal' },
  { pattern: /^gpt-5\.\d/, hosts: ['api.openai.com'], reasoning: 'effort-from-none' },
  { pattern: /^kimi-k(2\.[56]|3)/, fixedSampling: true },
];

/** What a request to this model at this host has to look like. The host decides before the preset, which may have another address by now. */
export function quirksOf(baseUrl: string, preset: string, modelId: string): HostQuirks & { readonly fixedSampling: boolean } {
  const hostname = new URL(baseUrl).hostname;
  const host = HOSTS.find((row) => row.hosts.some((name) => isHost(hostname, name))) ?? HOSTS.find((row) => row.presets.includes(preset));
  // Routers put the maker before the name.
  const name = modelId.toLowerCase().split('/').at(-1) ?? '';
  const rows = MODELS.filter((row) => row.pattern.test(name) && (row.hosts?.some((entry) => isHost(hostname, entry)) ?? true));
  const quirks = { ...COMMON, ...host };
  const isRouter = quirks.reasoning === 'openrouter';
  return {
    streamOptions: quirks.streamOptions,
    prefill: quirks.prefill,
    // A router translates the common name itself.
    maxTokens: (isRouter ? undefined : rows.find((row) => row.maxTokens !== undefined)?.maxTokens) ?? quirks.maxTokens,
    reasoning: rows.find((row) => row.reasoning !== undefined)?.reasoning ?? quirks.reasoning,
    fixedSampling: rows.some((row) => row.fixedSampling === true),
  };
}
