import type { AppError, JsonObject } from '../../core/errors';
import { isJsonList, isJsonObject } from './json-body';
import { REASONING_FIELD_NAMES } from './reasoning';

/** A change that makes a refused request acceptable. */
export interface Adjustment {
  readonly id: string;
  /** Also answers refusals of a value, which don't say that the field is unknown. */
  readonly isAboutValue?: true;
  /** Whether the refusal names what this changes. */
  readonly answers: (refusal: Refusal) => boolean;
  /** The changed body, or null where there is nothing of it in the body. */
  readonly apply: (body: JsonObject) => JsonObject | null;
}

/** What of an error says which field was refused; empty texts where it doesn't. */
export interface Refusal {
  readonly message: string;
  readonly parameter: string;
}

/** Words for "there is no such field here", in contrast to "the value is too large". */
const UNSUPPORTED =
  /unsupported|not support|unrecogni[sz]ed|unknown (field|parameter|name|argument|request)|extra (inputs|fields)|not permitted|not allowed|unexpected (keyword|field|parameter|argument)|additional propert|no longer accept|deprecated/i;

const SYSTEM_ROLE =
  /messages\[\d+\]\.role|\b(system|developer)\b.{0,20}\b(role|message|instruction|prompt)|roles? ['"]?(system|developer)/i;

/** Names of the field that finds a prefix in a host's cache. */
const CACHE_KEYS = ['prompt_cache_key', 'session_id'] as const;

/** In the order in which they are tried; each at most once a request. */
export const ADJUSTMENTS: readonly Adjustment[] = [
  { id: 'max-completion-tokens', answers: names('max_tokens'), apply: rename('max_tokens', 'max_completion_tokens') },
  { id: 'max-tokens', answers: names('max_completion_tokens'), apply: rename('max_completion_tokens', 'max_tokens') },
  { id: 'no-temperature', answers: names('temperature'), apply: without(['temperature']) },
  { id: 'no-top-p', answers: names('top_p'), apply: without(['top_p']) },
  { id: 'no-stream-options', answers: names('stream_options'), apply: without(['stream_options']) },
  { id: 'no-cache-key', answers: (refusal) => CACHE_KEYS.some((name) => names(name)(refusal)), apply: without(CACHE_KEYS) },
  { id: 'no-tool-choice', answers: names('tool_choice'), apply: without(['tool_choice']) },
  { id: 'no-store', answers: names('store'), apply: without(['store']) },
  // Of a model that doesn't reason, or of a server that doesn't know the field.
  {
    id: 'no-include',
    answers: (refusal) => names('include')(refusal) || /encrypted.content/i.test(refusal.message),
    apply: without(['include']),
  },
  // Some models give their summaries to verified customers only.
  { id: 'no-summary', answers: ({ parameter, message }) => /reasoning\.summary/.test(`${parameter} ${message}`), apply: withoutSummary },
  {
    id: 'no-reasoning',
    answers: (refusal) => REASONING_FIELD_NAMES.some((name) => names(name)(refusal)) || /\bthink(ing)?\b/i.test(refusal.message),
    apply: without(REASONING_FIELD_NAMES),
  },
  {
    id: 'fold-system',
    answers: (refusal) => SYSTEM_ROLE.test(refusal.parameter) || SYSTEM_ROLE.test(refusal.message),
    apply: foldSystem,
  },
];

/** The first change that answers a refusal and was not tried, with the changed body; undefined where no change can help. */
export function adjust(
  body: JsonObject,
  error: AppError,
  tried: ReadonlySet<string>,
  adjustments: readonly Adjustment[],
): { readonly id: string; readonly body: JsonObject } | undefined {
  if (error.code !== 'request-rejected') return undefined;
  const refusal = { message: textDetail(error, 'message'), parameter: textDetail(error, 'parameter') };
  const isUnsupported = UNSUPPORTED.test(refusal.message) || /unsupported/.test(textDetail(error, 'providerCode'));
  for (const { id, isAboutValue, answers, apply } of adjustments) {
    if (tried.has(id) || !(isUnsupported || isAboutValue === true) || !answers(refusal)) continue;
    const changed = apply(body);
    if (changed !== null) return { id, body: changed };
  }
  return undefined;
}

/** The body after changes that were learnt before. */
export function applyLearnt(body: JsonObject, learnt: ReadonlySet<string>, adjustments: readonly Adjustment[]): JsonObject {
  return adjustments.filter(({ id }) => learnt.has(id)).reduce((changed, { apply }) => apply(changed) ?? changed, body);
}

/** A refusal that names this field, as its parameter or in its words. */
export function names(field: string): (refusal: Refusal) => boolean {
  const pattern = new RegExp(`(^|[^a-z_])${field}($|[^a-z_])`, 'i');
  return ({ parameter, message }) => (parameter === '' ? pattern.test(message) : parameter === field || parameter.startsWith(`${field}.`));
}

function rename(from: string, to: string): (body: JsonObject) => JsonObject | null {
  return (body) => {
    const { [from]: value, ...rest } = body;
    return value === undefined ? null : { ...rest, [to]: value };
  };
}

/** Takes these fields out; null where the body has none of them. */
export function without(fields: readonly string[]): (body: JsonObject) => JsonObject | null {
  return (body) => {
    const rest = Object.entries(body).filter(([key]) => !fields.includes(key));
    return rest.length === Object.keys(body).length ? null : Object.fromEntries(rest);
  };
}

function withoutSummary(body: JsonObject): JsonObject | null {
  const { reasoning, ...rest } = body;
  if (!isJsonObject(reasoning) || reasoning['summary'] === undefined) return null;
  const { summary: _summary, ...kept } = reasoning;
  return Object.keys(kept).length === 0 ? rest : { ...rest, reasoning: kept };
}

/** The system text at the head of the first user turn, for models without that role. */
function foldSystem(body: JsonObject): JsonObject | null {
  const messages = body['messages'];
  if (!isJsonList(messages)) return null;
  const [first, ...rest] = messages;
  if (!isJsonObject(first) || first['role'] !== 'system' || typeof first['content'] !== 'string') return null;
  const text = first['content'];
  const index = rest.findIndex((message) => isJsonObject(message) && message['role'] === 'user');
  const user = rest[index];
  if (!isJsonObject(user)) return { ...body, messages: [{ role: 'user', content: text }, ...rest] };
  const content = user['content'];
  const folded = isJsonList(content) ? [{ type: 'text', text }, ...content] : `${text}\n\n${typeof content === 'string' ? content : ''}`;
  return { ...body, messages: rest.map((message, position) => (position === index ? { ...user, content: folded } : message)) };
}

function textDetail(error: AppError, key: string): string {
  const value = error.details[key];
  return typeof value === 'string' ? value : '';
}
