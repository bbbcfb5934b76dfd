import type { JsonObject } from '../../core/errors';
import { without, type Adjustment, type Refusal } from './adjustments';
import { isJsonList, isJsonObject } from './json-body';

/** What models at Google's protocol are known to refuse and how to do without, in the order in which it is tried. */
export const GOOGLE_ADJUSTMENTS: readonly Adjustment[] = [
  { id: 'no-thinking', isAboutValue: true, answers: says(/think/i), apply: withoutThinking },
  { id: 'fold-system', isAboutValue: true, answers: says(/(developer|system)[ _]?instruction/i), apply: foldSystem },
  // Relays and old models know fewer categories, or no `OFF`.
  { id: 'no-safety', isAboutValue: true, answers: says(/safety_?settings|harm_category/i), apply: without(['safetySettings']) },
];

function says(pattern: RegExp): (refusal: Refusal) => boolean {
  return ({ message }) => pattern.test(message);
}

function withoutThinking(body: JsonObject): JsonObject | null {
  const { generationConfig: config, ...rest } = body;
  if (!isJsonObject(config) || config['thinkingConfig'] === undefined) return null;
  const { thinkingConfig: _refused, ...kept } = config;
  return Object.keys(kept).length === 0 ? rest : { ...rest, generationConfig: kept };
}

/** The system text at the head of the first user turn. */
function foldSystem(body: JsonObject): JsonObject | null {
  const { systemInstruction: system, contents, ...rest } = body;
  if (!isJsonObject(system) || !isJsonList(system['parts']) || !isJsonList(contents)) return null;
  const parts = system['parts'];
  const index = contents.findIndex((content) => isJsonObject(content) && content['role'] === 'user');
  const first = contents[index];
  if (!isJsonObject(first) || !isJsonList(first['parts'])) return { ...rest, contents: [{ role: 'user', parts }, ...contents] };
  return { ...rest, contents: contents.with(index, { ...first, parts: [...parts, ...first['parts']] }) };
}
