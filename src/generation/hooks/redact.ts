import type { Json } from '../../core/errors';
import { isList, isRecord } from '../../outbound/json';

/** Names whose values are secrets, however they are written: `api_key`, `x-goog-api-key`, `accessToken`. */
const SECRET_NAME = /(apikey|authorization|cookie|credentials?|password|passphrase|privatekey|secrets?|tokens?)$/;
/** `max_tokens` and its like count something. */
const isCount = (value: unknown): boolean => typeof value === 'number';
const MAX_DEPTH = 64;
/** Shorter than this, letters and digits without a blank may still be a word. */
const MAX_BASE64_CHARACTERS = 200;
const BASE64 = /[A-Za-z0-9+/_-]{201,}={0,2}/g;
const DATA_URL = /data:([\w.+-]+\/[\w.+-]+)?[^,\s"']*,[A-Za-z0-9+/=_%-]*/g;
const HIDDEN = '[hidden]';

/**
 * What may be written down of a value: without secrets by their names, without these very keys wherever they stand, and with pictures and the like
 * told by their kind and length. Names that would reach an object's prototype are left out.
 */
export function redact(value: unknown, keys: readonly string[]): Json {
  const secrets = keys.filter((key) => key.length >= 4).sort((a, b) => b.length - a.length);
  return clean(value, secrets, 0);
}

/** Header names with their values hidden: that one was sent is worth knowing, what was in it is not. */
export function headerNames(headers: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
}

function clean(value: unknown, secrets: readonly string[], depth: number): Json {
  if (typeof value === 'string') return cleanText(value, secrets);
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (isList(value)) return value.map((entry) => clean(entry, secrets, depth + 1));
  if (!isRecord(value)) return null;
  const entries = Object.entries(value).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(entries.map(([name, entry]) => [name, isSecret(name, entry) ? HIDDEN : clean(entry, secrets, depth + 1)]));
}

function isSecret(name: string, value: unknown): boolean {
  return SECRET_NAME.test(name.toLowerCase().replaceAll(/[-_]/g, '')) && !isCount(value) && !isRecord(value);
}

function cleanText(text: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((current, secret) => current.replaceAll(secret, HIDDEN), text);
  if (hidden.length <= MAX_BASE64_CHARACTERS) return hidden;
  return hidden
    .replace(DATA_URL, (url, type: string | undefined) => `[${type ?? 'data'}, ${String(url.length)} characters]`)
    .replace(BASE64, (bytes) => `[base64, ${String(bytes.length)} characters]`);
}
