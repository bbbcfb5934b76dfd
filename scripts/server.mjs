import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';

/** Where a server says which app it serves, so that a second start can tell its own address from a stranger's. */
export const MARKER_PATH = '/__jackdaw';

/** @type {Readonly<Record<string, string>>} */
const MIME_TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Serves a finished build as static files, with the headers that its own `_headers` file names. A missing file is a 404; an unknown address
 * that a person navigated to leads to the app. Resolves once it listens, with its address and a way to end it.
 * Rejects with the listening error, `EADDRINUSE` above all.
 *
 * @param {object} options
 * @param {string} options.folder the build
 * @param {number} options.port 0 for any free one
 * @param {string} [options.basePath] where on the host the app lies; begins and ends with a slash
 * @param {boolean} [options.sendsHeaders] false plays a host that knows nothing of `_headers`
 * @param {string} [options.version] told at the marker
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve({ folder, port, basePath = '/', sendsHeaders = true, version = '' }) {
  const root = resolve(folder);
  const rules = sendsHeaders ? parseHeaderRules(await readFile(join(root, '_headers'), 'utf8')) : [];
  const server = createServer((request, response) => {
    answer({ request, response, root, basePath, rules, version }).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise((listening, failed) => {
    server.once('error', failed);
    // The name, not an address: browsers try both of its addresses, and only `localhost` is the origin that holds the data.
    server.listen(port, 'localhost', () => listening(undefined));
  });
  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://localhost:${boundPort}${basePath}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/**
 * @param {object} exchange
 * @param {import('node:http').IncomingMessage} exchange.request
 * @param {import('node:http').ServerResponse} exchange.response
 * @param {string} exchange.root
 * @param {string} exchange.basePath
 * @param {readonly HeaderRule[]} exchange.rules
 * @param {string} exchange.version
 */
async function answer({ request, response, root, basePath, rules, version }) {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'Only GET is answered here.');
  if (url.pathname === MARKER_PATH) return end(response, 200, JSON.stringify({ name: 'jackdaw', version }), 'application/json');
  const path = url.pathname.startsWith(basePath) ? decodePath(url.pathname.slice(basePath.length)) : undefined;
  const file = path === undefined ? undefined : await findFile(root, path);
  if (file === undefined) {
    // Only for a person's own navigation: a script must never be answered with a page.
    const isNavigation = request.headers['sec-fetch-mode'] === 'navigate' || /^text\/html/.test(request.headers.accept ?? '');
    if (!isNavigation || extname(url.pathname) !== '') return end(response, 404, 'There is no such file.');
    response.writeHead(302, { Location: basePath + url.search });
    return response.end();
  }
  for (const { pattern, name, value } of rules) if (pattern.test(`/${file.path}`)) response.setHeader(name, value);
  response.setHeader('ETag', file.tag);
  if (request.headers['if-none-match'] === file.tag) return response.writeHead(304).end();
  response.writeHead(200, { 'Content-Type': MIME_TYPES[extname(file.path)] ?? 'application/octet-stream', 'Content-Length': file.size });
  if (request.method === 'HEAD') return response.end();
  createReadStream(join(root, file.path))
    .on('error', () => response.destroy())
    .pipe(response);
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {string} text @param {string} type */
function end(response, status, text, type = 'text/plain; charset=utf-8') {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(`${text}\n`);
}

/** @param {string} path @returns {string | undefined} undefined for an address that is not well formed */
function decodePath(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** @param {string} root @param {string} path */
async function findFile(root, path) {
  const name = path === '' ? 'index.html' : path;
  const full = resolve(root, name);
  if (!full.startsWith(root + sep) || full.includes('\0')) return undefined;
  const found = await stat(full).catch(() => undefined);
  if (found === undefined || !found.isFile()) return undefined;
  return { path: name, size: found.size, tag: `"${found.size.toString(16)}-${found.mtimeMs.toString(16)}"` };
}

/**
 * The format that several static hosts read: a path pattern at the line's beginning, its headers indented below.
 *
 * @typedef {{ pattern: RegExp, name: string, value: string }} HeaderRule
 * @param {string} text
 * @returns {HeaderRule[]}
 */
function parseHeaderRules(text) {
  let pattern = /(?!)/;
  /** @type {HeaderRule[]} */
  const rules = [];
  for (const line of text.split('\n')) {
    const header = /^\s+([^:]+):\s*(.*)$/.exec(line);
    if (header !== null) rules.push({ pattern, name: header[1] ?? '', value: header[2] ?? '' });
    else if (line.startsWith('/'))
      pattern = new RegExp(
        `^${line
          .trim()
          .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '.*')}$`,
      );
  }
  return rules;
}
