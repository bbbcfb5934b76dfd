/**
 * What a page and its workers may load, directive by directive. Scripts come from this origin only and are never built from text; model
 * output therefore can't run, load a picture from elsewhere or send a form. Connections stay open because users add endpoints of their
 * own: what may leave is decided by the gate.
 */
const DIRECTIVES = {
  'default-src': "'self'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  // Formulas carry their measures in style attributes. No style element needs the same freedom.
  'style-src-attr': "'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'media-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self' https: http:",
  // The CPU engine starts its worker from a text of its own package. Such a worker has this same policy, and no script but ours makes one.
  'worker-src': "'self' blob:",
  'manifest-src': "'self'",
  'frame-src': "'none'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
} as const;

type Directive = keyof typeof DIRECTIVES;

const text = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

/** For a `<meta>` element: browsers ignore some directives there and say so in the console, so those are left out. */
export const META_POLICY: string = text(DIRECTIVES);

/** For the response header of documents and worker scripts; also keeps other sites from framing the app. */
export const HEADER_POLICY: string = `${META_POLICY}; frame-ancestors 'none'`;

/** Makes the page cross-origin isolated where the browser knows how; threads in WebAssembly need it, nothing else does. */
export const ISOLATION_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'credentialless',
} as const;

/** The policy with some directives replaced: the development server injects style elements and talks over a socket. */
export function relaxedPolicy(replaced: Readonly<Partial<Record<Directive, string>>>): string {
  return text({ ...DIRECTIVES, ...replaced });
}
