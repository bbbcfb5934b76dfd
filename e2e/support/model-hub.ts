import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How a file comes, other than at once and whole. */
export interface Behaviour {
  /** Breaks the connection off after so many bytes of an answer. */
  readonly cutAfter?: number;
  /** A start page with status 200, as some hosts answer what they don't have. */
  readonly html?: boolean;
  readonly status?: number;
  /** Bytes of a piece, and the pause before each. */
  readonly slow?: { readonly bytes: number; readonly ms: number };
  /** Knows no ranges: sends all. */
  readonly noRanges?: boolean;
  /** Says this hash of it, whatever it is. */
  readonly sha256?: string;
}

/** A hub with the paths of the real one: files, ranges, the list with sizes and hashes, and a redirect to where the files really lie. */
export interface ModelHub {
  readonly url: string;
  /** Every request, `GET <path> <range>`. */
  readonly requests: readonly string[];
  /** `path` is `<owner>/<repository>/resolve/main/<file>`. */
  put(path: string, bytes: Uint8Array, behaviour?: Behaviour): void;
  behave(path: string, behaviour: Behaviour): void;
  close(): Promise<void>;
}

interface StoredFile {
  readonly bytes: Uint8Array;
  behaviour: Behaviour;
}

export async function startModelHub(): Promise<ModelHub> {
  const files = new Map<string, StoredFile>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://hub').pathname.slice(1));
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'range');
    response.setHeader('access-control-expose-headers', 'content-range');
    if (request.method === 'OPTIONS') return void response.end();
    requests.push(`${request.method ?? 'GET'} ${path} ${request.headers.range ?? ''}`.trim());
    if (path.startsWith('api/models/')) return listFiles(path, response);
    const file = files.get(path.replace(/^cdn\//, ''));
    if (file === undefined) return void response.writeHead(404).end('Entry not found');
    if (!path.startsWith('cdn/')) return void response.writeHead(302, { location: `/cdn/${path}` }).end();
    return sendFile(file, request, response);
  };
  const listFiles = (path: string, response: ServerResponse): void => {
    const [repository = ''] = path.replace(/^api\/models\//, '').split('/tree/');
    const entries = [...files]
      .filter(([name]) => name.startsWith(`${repository}/resolve/`))
      .map(([name, { bytes, behaviour }]) => ({
        path: name.split('/resolve/main/')[1],
        size: bytes.length,
        lfs: { size: bytes.length, oid: behaviour.sha256 ?? createHash('sha256').update(bytes).digest('hex') },
      }));
    response.setHeader('content-type', 'application/json');
    if (entries.length === 0) response.writeHead(404);
    response.end(JSON.stringify(entries));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressOf(server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    put: (path, bytes, behaviour = {}) => void files.set(path, { bytes, behaviour }),
    behave: (path, behaviour) => {
      const file = files.get(path);
      if (file === undefined) throw new Error(`no ${path}`);
      file.behaviour = behaviour;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address;
}

async function sendFile({ bytes, behaviour }: StoredFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, html, slow, cutAfter } = behaviour;
  if (status !== undefined) return void response.writeHead(status).end();
  if (html === true) return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Start</title>');
  const from = behaviour.noRanges === true ? 0 : Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from >= bytes.length) return void response.writeHead(416).end();
  const rest = bytes.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    'content-type': 'application/octet-stream',
    'content-length': rest.length,
    ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  });
  const step = slow?.bytes ?? 64 * 1024;
  for (let at = 0; at < rest.length && !response.destroyed; at += step) {
    if (slow !== undefined) await delay(slow.ms);
    if (cutAfter !== undefined && at + step > cutAfter) {
      // What was sent before is to arrive.
      await delay(50);
      return void response.destroy();
    }
    response.write(rest.subarray(at, at + step));
  }
  response.end();
}
