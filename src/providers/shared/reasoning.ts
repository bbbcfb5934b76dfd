import type { ReasoningLevel } from '../../core/account';
import type { JsonObject } from '../../core/errors';

/** A level that says something; `auto` leaves the matter to the server and sends nothing. */
type SaidLevel = Exclude<ReasoningLevel, 'auto'>;

/** How a host wants to be told how long to think. */
export type ReasoningDialect =
  | 'none'
  | 'effort'
  | 'effort-from-minimal'
  | 'effort-from-none'
  | 'effort-to-max'
  | 'openrouter'
  | 'deepseek'
  | 'budget'
  | 'switch'
  | 'switch-effort'
  | 'boolean'
  | 'mode'
  | 'template';

const effort = (value: string): JsonObject => ({ reasoning_effort: value });
const routed = (value: string): JsonObject => ({ reasoning: { effort: value } });
const thinking = (type: 'enabled' | 'disabled', level?: string): JsonObject =>
  level === undefined ? { thinking: { type } } : { thinking: { type }, reasoning_effort: level };
const budget = (tokens: number): JsonObject => ({ enable_thinking: true, thinking_budget: tokens });
const everyLevel = (off: JsonObject, on: JsonObject): Record<SaidLevel, JsonObject> => ({
  off,
  minimal: on,
  low: on,
  medium: on,
  high: on,
  xhigh: on,
  max: on,
});

/** The fields of each dialect at each level. A host that knows fewer levels gets the nearest one it knows. */
const REASONING_FIELDS: { readonly [dialect in ReasoningDialect]: { readonly [level in SaidLevel]: JsonObject } } = {
  none: everyLevel({}, {}),
  // Most hosts can't switch thinking off; the least is the nearest.
  effort: {
    off: effort('low'),
    minimal: effort('low'),
    low: effort('low'),
    medium: effort('medium'),
    high: effort('high'),
    xhigh: effort('high'),
    max: effort('high'),
  },
  'effort-from-minimal': {
    off: effort('minimal'),
    minimal: effort('minimal'),
    low: effort('low'),
    medium: effort('medium'),
    high: effort('high'),
    xhigh: effort('high'),
    max: effort('high'),
  },
  'effort-from-none': {
    off: effort('none'),
    minimal: effort('low'),
    low: effort('low'),
    medium: effort('medium'),
    high: effort('high'),
    xhigh: effort('xhigh'),
    max: effort('xhigh'),
  },
  // Knows two efforts.
  'effort-to-max': {
    off: effort('none'),
    minimal: effort('high'),
    low: effort('high'),
    medium: effort('high'),
    high: effort('high'),
    xhigh: effort('max'),
    max: effort('max'),
  },
  openrouter: {
    off: routed('none'),
    minimal: routed('minimal'),
    low: routed('low'),
    medium: routed('medium'),
    high: routed('high'),
    xhigh: routed('xhigh'),
    max: routed('xhigh'),
  },
  deepseek: {
    off: thinking('disabled'),
    minimal: thinking('enabled', 'low'),
    low: thinking('enabled', 'low'),
    medium: thinking('enabled', 'high'),
    high: thinking('enabled', 'high'),
    xhigh: thinking('enabled', 'high'),
    max: thinking('enabled', 'max'),
  },
  budget: {
    off: { enable_thinking: false },
    minimal: budget(1_000),
    low: budget(1_000),
    medium: budget(2_000),
    high: budget(8_000),
    xhigh: budget(16_000),
    max: budget(32_000),
  },
  switch: everyLevel(thinking('disabled'), thinking('enabled')),
  'switch-effort': {
    off: thinking('disabled'),
    minimal: thinking('enabled', 'low'),
    low: thinking('enabled', 'low'),
    medium: thinking('enabled', 'medium'),
    high: thinking('enabled', 'high'),
    xhigh: thinking('enabled', 'high'),
    max: thinking('enabled', 'high'),
  },
  mode: everyLevel({ thinking_mode: false }, { thinking_mode: true }),
  boolean: everyLevel({ enable_thinking: false }, { enable_thinking: true }),
  template: everyLevel({ chat_template_kwargs: { enable_thinking: false } }, { chat_template_kwargs: { enable_thinking: true } }),
};

/** Every top-level field that any dialect sends, to take them out where a host refuses them. */
export const REASONING_FIELD_NAMES = [
  'reasoning_effort',
  'reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'thinking_mode',
  'chat_template_kwargs',
] as const;

/** Models that always think: a switch would only be refused. */
const ALWAYS_THINKS = /qwq|qvq|qwen3.*thinking|deepseek-r1|deepseek-reasoner|kimi-k2-thinking|magistral/;

/** Families that take a field of their own makers' hosts and refuse the common one elsewhere. */
const OWN_FIELD_ONLY = /qwen|deepseek|doubao/;

/** The fields that tell a host how long to think; none for `auto` and where the model or the host has no such field. */
export function reasoningFields(dialect: ReasoningDialect, level: ReasoningLevel, modelId: string): JsonObject {
  const id = modelId.toLowerCase();
  if (level === 'auto') return {};
  if (dialect !== 'openrouter' && ALWAYS_THINKS.test(id)) return {};
  if (dialect === 'effort' && OWN_FIELD_ONLY.test(id)) return {};
  const fields = REASONING_FIELDS[dialect][level];
  // Kimi K2.6 forgets its own thinking between steps unless told to keep it.
  const keepsThinking = dialect === 'switch' && level !== 'off' && /kimi-k2\.6/.test(id);
  return keepsThinking ? { thinking: { type: 'enabled', keep: 'all' } } : fields;
}
