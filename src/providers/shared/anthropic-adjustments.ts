import type { Json, JsonObject } from '../../core/errors';
import { names, without, type Adjustment, type Refusal } from './adjustments';
import { MIN_BUDGET_TOKENS } from './anthropic-thinking';
import { isJsonList, isJsonObject } from './json-body';

/** Limits of answers in use among models of this protocol, from large to small. */
const OUTPUT_LIMITS = [32_000, 8_192, 4_096] as const;

const CONTINUE = 'Continue your last message from exactly where it stopped. Repeat nothing of it.';

/** What Messages hosts are known to refuse and how to do without, in the order in which it is tried. */
export const MESSAGES_ADJUSTMENTS: readonly Adjustment[] = [
  { id: 'no-display', answers: says(/\bdisplay\b/i), apply: changeThinking(withoutDisplay) },
  { id: 'high-effort', answers: says(/effort level/i), apply: highEffort },
  { id: 'no-effort', answers: says(/\b(output_config|effort)\b/i), apply: without(['output_config']) },
  { id: 'adaptive-thinking', answers: says(/\badaptive\b/i), apply: changeThinking(adaptive) },
  { id: 'no-thinking', answers: says(/\bthink(ing)?\b|budget_tokens/i), apply: without(['thinking', 'output_config']) },
  { id: 'no-temperature', isAboutValue: true, answers: says(/\btemperature\b/i), apply: without(['temperature']) },
  { id: 'no-top-p', isAboutValue: true, answers: names('top_p'), apply: without(['top_p']) },
  { id: 'no-cache-marks', answers: says(/cache_control/i), apply: withoutCacheMarks },
  { id: 'no-prefill', answers: says(/prefill|must end with a user message/i), apply: askToContinue },
  ...OUTPUT_LIMITS.map((limit): Adjustment => ({
    id: `max-tokens-${limit}`,
    isAboutValue: true,
    answers: says(/max_tokens/i),
    apply: limitTokens(limit),
  })),
];

function says(pattern: RegExp): (refusal: Refusal) => boolean {
  return ({ message, parameter }) => pattern.test(message) || pattern.test(parameter);
}

function changeThinking(change: (thinking: JsonObject) => JsonObject | null): (body: JsonObject) => JsonObject | null {
  return (body) => {
    const { thinking } = body;
    const changed = isJsonObject(thinking) ? change(thinking) : null;
    return changed === null ? null : { ...body, thinking: changed };
  };
}

function withoutDisplay(thinking: JsonObject): JsonObject | null {
  const { display, ...rest } = thinking;
  return display === undefined ? null : rest;
}

/** Newer models than the table knows take no budget any more. */
function adaptive(thinking: JsonObject): JsonObject | null {
  return thinking['type'] === 'enabled' ? { type: 'adaptive' } : null;
}

function highEffort(body: JsonObject): JsonObject | null {
  const effort = isJsonObject(body['output_config']) ? body['output_config']['effort'] : undefined;
  return effort === undefined || effort === 'high' ? null : { ...body, output_config: { effort: 'high' } };
}

function limitTokens(limit: number): (body: JsonObject) => JsonObject | null {
  return (body) => {
    const { max_tokens: asked, thinking, ...rest } = body;
    if (typeof asked !== 'number' || asked <= limit) return null;
    const budget = isJsonObject(thinking) ? thinking['budget_tokens'] : undefined;
    const fits = typeof budget !== 'number' || budget < limit;
    const smaller = { type: 'enabled', budget_tokens: Math.max(MIN_BUDGET_TOKENS, limit - MIN_BUDGET_TOKENS) };
    return { ...rest, max_tokens: limit, ...(thinking === undefined ? {} : { thinking: fits ? thinking : smaller }) };
  };
}

function withoutCacheMarks(body: JsonObject): JsonObject | null {
  const clean = strip(body);
  return JSON.stringify(clean) === JSON.stringify(body) || !isJsonObject(clean) ? null : clean;
}

function strip(value: Json): Json {
  if (isJsonList(value)) return value.map(strip);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'cache_control');
  return Object.fromEntries(kept.map(([key, entry]) => [key, strip(entry)]));
}

/** Asks in words for what an unfinished turn at the end asks silently elsewhere. */
function askToContinue(body: JsonObject): JsonObject | null {
  const { messages } = body;
  if (!isJsonList(messages)) return null;
  const last = messages.at(-1);
  if (!isJsonObject(last) || last['role'] !== 'assistant') return null;
  return { ...body, messages: [...messages, { role: 'user', content: [{ type: 'text', text: CONTINUE }] }] };
}
