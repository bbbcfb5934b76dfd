import type { Json, JsonObject } from '../../core/errors';

export interface NumberRange {
  readonly low: number;
  readonly high: number;
  readonly isWhole: boolean;
}

/** The number in a field; undefined when it is empty, null when it is none or out of range. A decimal comma is understood. */
export function parseNumber(text: string, range: NumberRange): number | undefined | null {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  const isFitting = Number.isFinite(value) && value >= range.low && value <= range.high && (!range.isWhole || Number.isInteger(value));
  return isFitting ? value : null;
}

export type BodyResult =
  | { readonly type: 'body'; readonly body: JsonObject }
  | { readonly type: 'not-json'; readonly reason: string }
  | { readonly type: 'not-object' };

/** The JSON object in a field; an empty field is an empty object. */
export function parseBody(text: string): BodyResult {
  if (text.trim() === '') return { type: 'body', body: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { type: 'body', body: value } : { type: 'not-object' };
  } catch (error) {
    return { type: 'not-json', reason: error instanceof Error ? error.message : '' };
  }
}

/** Whether requests can go there: a full http(s) address without a query or a password in it. */
export function isBaseUrl(text: string): boolean {
  const url = URL.parse(text.trim());
  return (
    url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.search === '' && url.hash === '' && url.username === ''
  );
}

// `JSON.parse` makes nothing else than JSON.
function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
