import type { JsonObject } from '../../core/errors';

// Long enough for a provider's sentence, short enough for a notice.
const MAX_WORDS = 300;
// Anything that looks like a credential: providers like to quote the key back ("Incorrect API key provided: sk-…").
const CREDENTIAL = /\b(?:sk|pk|rk|gsk|xai|hf|key|AIza)[-_A-Za-z0-9*]{8,}|Bearer\s+\S+/g;

/** A detail that is non-empty text, or undefined. */
export function textDetail(details: JsonObject, name: string): string | undefined {
  const value = details[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A detail that is a finite number, or undefined. */
export function numberDetail(details: JsonObject, name: string): number | undefined {
  const value = details[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Host and port of the place that was asked: `host`, or the host of `origin` or `url`. */
export function hostDetail(details: JsonObject): string | undefined {
  const host = textDetail(details, 'host');
  if (host !== undefined) return host;
  const address = textDetail(details, 'origin') ?? textDetail(details, 'url');
  return address === undefined ? undefined : URL.parse(address)?.host;
}

/** The provider's own words, on one line, cut to a readable length, with anything that looks like a key blacked out. */
export function providerWords(details: JsonObject): string | undefined {
  const words = textDetail(details, 'message')?.replace(/\s+/g, ' ').trim().replace(CREDENTIAL, '•••');
  if (words === undefined || words === '') return undefined;
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS - 1)}…` : words;
}
