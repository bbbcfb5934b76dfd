import type { ModelCapabilities, ModelInfo, ReasoningLevel } from '../../core/account';
import type { JsonObject } from '../../core/errors';
import { isList, isRecord, numberAt, textAt, type UnknownRecord } from '../../outbound/json';
import { isOtherKind, lookUp } from '../catalogue';

/** A level that says something; `auto` leaves the length of thinking to the server. */
type SaidLevel = Exclude<ReasoningLevel, 'auto'>;

type LevelRow = { readonly [level in SaidLevel]: string };
/** Tokens; null says nothing, for models that can't stop thinking. */
type BudgetRow = { readonly [level in SaidLevel]: number | null };

const FLASH_LEVELS: LevelRow = {
  off: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};
const PRO_LEVELS: LevelRow = { ...FLASH_LEVELS, off: 'low', minimal: 'low' };
/** Gemini 3 Pro knows `low` and `high` only, Gemma 4 `minimal` and `high`. */
const FIRST_PRO_LEVELS: LevelRow = { ...PRO_LEVELS, medium: 'high' };
const GEMMA_LEVELS: LevelRow = { ...FLASH_LEVELS, low: 'minimal', medium: 'high' };

const FLASH_BUDGETS: BudgetRow = { off: 0, minimal: 128, low: 1_000, medium: 2_000, high: 8_000, xhigh: 16_000, max: 24_576 };
const LITE_BUDGETS: BudgetRow = { ...FLASH_BUDGETS, minimal: 512 };
const PRO_BUDGETS: BudgetRow = { ...FLASH_BUDGETS, off: null, max: 32_000 };

/** The first row that fits a model's name. */
const THINKING: readonly (readonly [pattern: RegExp, row: LevelRow | BudgetRow])[] = [
  [/^gemma-/, GEMMA_LEVELS],
  [/^gemini-3-pro/, FIRST_PRO_LEVELS],
  [/^gemini-([3-9]|\d\d)(\.\d+)?-pro/, PRO_LEVELS],
  [/^gemini-([3-9]|\d\d)/, FLASH_LEVELS],
  [/flash-lite/, LITE_BUDGETS],
  [/-pro\b/, PRO_BUDGETS],
];

/** The model's name without the folder that lists and routers put before it, lower case. */
function nameOf(modelId: string): string {
  return modelId.toLowerCase().split('/').at(-1) ?? '';
}

/** Gemini 3 and later: signatures are demanded, results may hold pictures, search goes along with functions. */
export function isGemini3(modelId: string): boolean {
  return /^gemini-([3-9]|\d\d)/.test(nameOf(modelId));
}

/** Models that answer with pictures of their own. They take neither a system instruction nor functions. */
export function makesImages(modelId: string): boolean {
  return /^gemini-.*\bimage\b|^nano-banana/.test(nameOf(modelId));
}

/** Models that refuse a system instruction, which then stands at the head of the first user turn. */
export function lacksSystem(modelId: string): boolean {
  return /^gemma-[1-3]/.test(nameOf(modelId));
}

/**
 * `thinkingConfig` for a level. Thoughts are asked for wherever the model thinks, `auto` included; how long it thinks is then its own
 * matter. Undefined where there is nothing to say.
 */
export function thinkingConfig(level: ReasoningLevel, modelId: string): JsonObject | undefined {
  if (level === 'auto') return { includeThoughts: true };
  const row = THINKING.find(([pattern]) => pattern.test(nameOf(modelId)))?.[1] ?? FLASH_BUDGETS;
  const value = row[level];
  if (value === null) return undefined;
  const field = typeof value === 'string' ? { thinkingLevel: value } : { thinkingBudget: value };
  return { ...field, includeThoughts: level !== 'off' };
}

/** What is known of a model by its id alone. */
export function googleCapabilities(modelId: string): ModelCapabilities {
  const known = lookUp(modelId);
  const isGemini = nameOf(modelId).startsWith('gemini-');
  const drawing = makesImages(modelId);
  return {
    ...known,
    ...(drawing ? { vision: true, tools: false, reasoning: false } : {}),
    audio: isGemini && !drawing,
    documents: isGemini && !drawing,
    hostedSearch: /^gemini-([2-9]|\d\d|flash|pro)/.test(nameOf(modelId)) && (!drawing || isGemini3(modelId)),
  };
}

/** The chat models of one page of `/models`. */
export function readGoogleModels(value: unknown): readonly ModelInfo[] {
  const entries = isRecord(value) && isList(value['models']) ? value['models'].filter(isRecord) : [];
  return entries.flatMap((entry) => readModel(entry) ?? []);
}

function readModel(entry: UnknownRecord): ModelInfo | undefined {
  const id = textAt(entry, 'name')?.replace(/^models\//, '');
  if (id === undefined || (isOtherKind(id) && !makesImages(id))) return undefined;
  const methods = entry['supportedGenerationMethods'];
  if (isList(methods) && !methods.includes('generateContent')) return undefined;
  const known = googleCapabilities(id);
  const thinks = entry['thinking'];
  const contextTokens = numberAt(entry, 'inputTokenLimit') ?? known.contextTokens;
  const reasoning = typeof thinks === 'boolean' && !makesImages(id) ? thinks : known.reasoning;
  return { id, name: textAt(entry, 'displayName') ?? id, capabilities: { ...known, reasoning, contextTokens } };
}
