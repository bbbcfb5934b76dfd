import { HEADER_POLICY, ISOLATION_HEADERS } from '../core/content-security-policy';

const TYPES_BY_ENDING: readonly (readonly [ending: string, type: RegExp])[] = [
  ['.js', /^(text|application)\/(javascript|x-javascript|ecmascript)/],
  ['.css', /^text\/css/],
  ['.wasm', /^application\/wasm/],
  ['.html', /^text\/html/],
];

/**
 * Whether a response may be kept: it succeeded, is this origin's, and is of the kind that its name says. A host that answers a missing
 * script with its start page would otherwise break the app for good.
 */
export function isIntact(url: URL, response: Response): boolean {
  if (response.status !== 200 || response.type === 'opaque') return false;
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  const expected = TYPES_BY_ENDING.find(([ending]) => url.pathname.endsWith(ending));
  return expected === undefined ? !type.startsWith('text/html') || url.pathname.endsWith('/') : expected[1].test(type);
}

/** A copy that carries the policy and the isolation headers, for hosts that send none. Redirects and opaque answers come back as they are. */
export function withSafetyHeaders(response: Response): Response {
  if (response.type === 'opaque' || response.type === 'opaqueredirect' || response.type === 'error' || response.status === 0)
    return response;
  const headers = new Headers(response.headers);
  headers.set('Content-Security-Policy', HEADER_POLICY);
  for (const [name, value] of Object.entries(ISOLATION_HEADERS)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
