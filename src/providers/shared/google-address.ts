import { normaliseBaseUrl } from '../../outbound/address';

/** Hosts of Google's own. */
const OFFICIAL_HOST = 'generativelanguage.googleapis.com';

/** The version that has everything; the stable one lacks thinking and tools. */
const VERSION = '/v1beta';

/**
 * The base of a Gemini server from what a user pastes: `normaliseBaseUrl`, and the path to a model, the OpenAI-compatible end and the key
 * in the query cut, `/v1beta` added where only a host was given. Throws `address-invalid`.
 */
export function googleBaseUrl(input: string): string {
  const text = input
    .trim()
    .replace(/[?#].*$/s, '')
    .replace(/([^:/])\/+$/, '$1')
    .replace(/\/(models|tunedModels)(\/[^/]*)?$/i, '')
    .replace(/(\/v\d\w*)\/openai(\/.*)?$/i, '$1');
  const isHostOnly = /^[^/]+$/.test(text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, ''));
  return normaliseBaseUrl(isHostOnly ? `${text}${VERSION}` : text);
}

/** Whether a base lies at the maker's own host. */
export function isOfficialHost(baseUrl: string): boolean {
  return new URL(baseUrl).hostname === OFFICIAL_HOST;
}

/** The path of a model below the base, for a method such as `generateContent`. */
export function modelPath(modelId: string, method: string): string {
  const name = modelId.includes('/') ? modelId : `models/${modelId}`;
  return `/${name.split('/').map(encodeURIComponent).join('/')}:${method}`;
}
