import type { Json, JsonObject } from '../../core/errors';

/** `extra` laid over `body`: object into object, anything else replaces; blank names are skipped. */
export function mergeBody(body: JsonObject, extra: JsonObject): JsonObject {
  const merged: { [key: string]: Json } = { ...body };
  for (const [key, value] of Object.entries(extra)) {
    if (key.trim() === '') continue;
    const old = merged[key];
    merged[key] = isJsonObject(old) && isJsonObject(value) ? mergeBody(old, value) : value;
  }
  return merged;
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is a list. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
