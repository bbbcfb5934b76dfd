import type { Json, JsonObject } from '../core/errors';

/** A JSON object whose fields nobody has looked at yet. */
export type UnknownRecord = { readonly [key: string]: unknown };

/** Whether `value` is an object with fields, not an array and not null. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `value` is an array of anything. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The parsed text, or undefined where it isn't JSON. Never throws. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The non-empty string at `key`, or undefined. */
export function textAt(record: UnknownRecord, key: string): string | undefined {
  const value = record[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The finite number at `key`, or undefined. */
export function numberAt(record: UnknownRecord, key: string): number | undefined {
  const value = record[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The object at `key`, or an empty one, so that a missing branch reads as missing leaves. */
export function recordAt(record: UnknownRecord, key: string): UnknownRecord {
  const value = record[key];
  return isRecord(value) ? value : {};
}

/** A parsed value as JSON, to be kept and sent back unchanged. Anything that JSON can't hold becomes null. */
export function toJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (isList(value)) return value.map(toJson);
  return isRecord(value) ? toJsonObject(value) : null;
}

/** The same for an object. */
export function toJsonObject(record: UnknownRecord): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, toJson(value)]));
}
