import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface RoughRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface RoughServer {
  readonly origin: string;
  readonly requests: readonly RoughRequest[];
  /** Ends all connections, those that hang among them. */
  close(): Promise<void>;
}

/** What such a server does with one request; CORS is its own business. */
export type Behaviour = (request: RoughRequest, response: ServerResponse) => void;

/** A server on this machine that does everything as `behaviour` says, for the ways in which real ones keep a page out. */
export async function startRoughServer(behaviour: Behaviour): Promise<RoughServer> {
  const requests: RoughRequest[] = [];
  const server = createServer((incoming, response) => {
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers };
    requests.push(request);
    incoming.resume();
    behaviour(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Lets any page read the answer, with these request headers beside the plain ones. */
export function allowOrigin(response: ServerResponse, headers = ''): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS');
  if (headers !== '') response.setHeader('access-control-allow-headers', headers);
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
