import type { ReasoningLevel } from '../../core/account';
import type { JsonObject } from '../../core/errors';
import type { AnthropicModel } from './anthropic-models';

type ThinkingLevel = Exclude<ReasoningLevel, 'auto' | 'off'>;

/** The server refuses a smaller budget. */
export const MIN_BUDGET_TOKENS = 1_024;

/** Tokens of thinking a level stands for. */
const BUDGETS: Readonly<Record<ThinkingLevel, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 16_384,
  max: 32_768,
};

/** The same at the protocol's other hosts. */
const HOST_BUDGETS: Readonly<Record<ThinkingLevel, number>> = {
  minimal: 1_024,
  low: 1_024,
  medium: 2_000,
  high: 8_000,
  xhigh: 16_000,
  max: 32_000,
};

/** Thinking in a request's own terms. */
export interface ThinkingPlan {
  /** Whether the model will think because of these fields. */
  readonly isOn: boolean;
  readonly fields: JsonObject;
  readonly maxTokens: number;
}

/**
 * How a model is told to think at this level, and how many tokens its answer may have with it. `auto` says nothing. `wanted` is the user's
 * own limit for the answer, to which a budget is added; `fallback` the limit where there is none.
 */
export function planThinking(model: AnthropicModel, level: ReasoningLevel, wanted: number | undefined, fallback: number): ThinkingPlan {
  const maxTokens = Math.min(wanted ?? fallback, model.maxOutputTokens);
  if (level === 'auto' || model.thinking === 'none') return { isOn: false, fields: {}, maxTokens };
  if (level === 'off') return { isOn: false, fields: { thinking: { type: 'disabled' } }, maxTokens };
  if (model.thinking === 'adaptive') {
    // Newer models leave their thoughts out unless asked for a summary.
    const fields = { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: effortOf(model, level) } };
    return { isOn: true, fields, maxTokens };
  }
  const budget = (model.thinking === 'budget' ? BUDGETS : HOST_BUDGETS)[level];
  return withBudget(budget, wanted === undefined ? maxTokens : Math.min(wanted + budget, model.maxOutputTokens), maxTokens);
}

/** Room for the answer comes first; a budget that is too small by then is not worth sending. */
function withBudget(wantedBudget: number, maxTokens: number, withoutThinking: number): ThinkingPlan {
  const budget = maxTokens > wantedBudget ? wantedBudget : maxTokens - MIN_BUDGET_TOKENS;
  if (budget < MIN_BUDGET_TOKENS) return { isOn: false, fields: {}, maxTokens: withoutThinking };
  return { isOn: true, fields: { thinking: { type: 'enabled', budget_tokens: budget } }, maxTokens };
}

function effortOf(model: AnthropicModel, level: ThinkingLevel): string {
  if (level === 'minimal') return 'low';
  if (level !== 'xhigh' && level !== 'max') return level;
  return model.efforts.includes(level) ? level : 'high';
}
