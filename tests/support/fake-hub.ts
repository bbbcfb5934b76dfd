/** How a file comes, other than at once and whole. Plain data: it crosses to the worker that a test runs the store in. */
export interface FileBehaviour {
  readonly status?: number;
  /** A start page with status 200, as some hosts answer what they don't have. */
  readonly isPage?: boolean;
  /** The connection breaks after so many bytes of an answer. */
  readonly cutAfter?: number;
  /** The answer ends after so many bytes as if that were all; its length says the same. */
  readonly endAfter?: number;
  /** Nothing comes after so many bytes, and nothing ends. */
  readonly hangAfter?: number;
  /** Knows no ranges: sends all. */
  readonly noRanges?: boolean;
  /** Does not let the page read where a range lies, as hosts do that don't expose it. */
  readonly hidesRange?: boolean;
  /** Sends a range that was not asked for. */
  readonly otherRange?: boolean;
  readonly version?: string;
  /** What the list says, where that is not the truth. */
  readonly listed?: { readonly bytes?: number; readonly sha256?: string };
}

interface HubFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly behaviour: FileBehaviour;
}

/** As large as what a browser reads from the network at once. */
const PIECE_BYTES = 64 * 1024;

/** A hub with the paths of the real one, in place of `fetch`: files, ranges, and the list with sizes and hashes. */
export class FakeHub {
  /** Ends in a slash. */
  readonly url: string;
  /** Whether it answers with lists, as not every mirror does. */
  hasLists = true;
  /** Every file that was asked for, with the range where there was one: `<path> <from>-`. */
  readonly requests: string[] = [];
  /** Bytes of files that were sent. */
  sentBytes = 0;
  readonly #files = new Map<string, HubFile>();

  constructor(url: string) {
    this.url = url;
  }

  /** `path` is `<owner>/<repository>/resolve/main/<file>`, or any other below the hub. */
  put(path: string, bytes: Uint8Array<ArrayBuffer>, behaviour: FileBehaviour = {}): void {
    this.#files.set(path, { bytes, behaviour });
  }

  behave(path: string, behaviour: FileBehaviour): void {
    this.put(path, this.#files.get(path)?.bytes ?? new Uint8Array(), behaviour);
  }

  forgetRequests(): void {
    this.requests.length = 0;
    this.sentBytes = 0;
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted();
    const url = new URL(input instanceof Request ? input.url : input);
    const path = decodeURIComponent(url.href.replace(this.url, '').replace(/\?.*$/, ''));
    if (path.startsWith('api/models/')) return this.#list(path.slice('api/models/'.length));
    const range = /bytes=(\d+)-/.exec(new Headers(init.headers).get('range') ?? '')?.[1];
    this.requests.push(range === undefined ? path : `${path} ${range}-`);
    const file = this.#files.get(path);
    return file === undefined ? new Response('Entry not found', { status: 404 }) : this.#send(file, range);
  };

  async #list(path: string): Promise<Response> {
    const [repository = '', tree = ''] = path.split('/tree/');
    const [revision = '', ...folder] = tree.split('/');
    const start = [repository, 'resolve', revision, ...folder, ''].join('/');
    const found = [...this.#files].filter(([name]) => name.startsWith(start) && !name.slice(start.length).includes('/'));
    if (!this.hasLists || found.length === 0) return new Response('Not found', { status: 404 });
    const entries = found.map(async ([name, { bytes, behaviour }]) => ({
      type: 'file',
      path: [...folder, name.slice(start.length)].join('/'),
      size: behaviour.listed?.bytes ?? bytes.length,
      lfs: { size: behaviour.listed?.bytes ?? bytes.length, oid: behaviour.listed?.sha256 ?? (await sha256(bytes)) },
    }));
    return Response.json(await Promise.all(entries));
  }

  #send({ bytes, behaviour }: HubFile, range: string | undefined): Response {
    if (behaviour.status !== undefined) return new Response('no', { status: behaviour.status });
    if (behaviour.isPage === true) return new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    const isRange = range !== undefined && behaviour.noRanges !== true;
    const from = isRange ? Number(range) : 0;
    if (from >= bytes.length && from > 0) return new Response(null, { status: 416 });
    const rest = bytes.subarray(from, from + (behaviour.endAfter ?? bytes.length));
    const headers = new Headers({ 'content-type': 'application/octet-stream', 'content-length': String(rest.length) });
    if (behaviour.version !== undefined) headers.set('etag', behaviour.version);
    if (isRange && behaviour.hidesRange !== true) {
      headers.set('content-range', `bytes ${behaviour.otherRange === true ? from + 7 : from}-${bytes.length - 1}/${bytes.length}`);
    }
    return new Response(this.#body(rest, behaviour), { status: isRange ? 206 : 200, headers });
  }

  #body(bytes: Uint8Array<ArrayBuffer>, { cutAfter, hangAfter }: FileBehaviour): ReadableStream<Uint8Array<ArrayBuffer>> {
    let at = 0;
    const stop = Math.min(bytes.length, cutAfter ?? hangAfter ?? bytes.length);
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          if (at < stop) {
            // A copy, as the network would hand out.
            const piece = bytes.slice(at, Math.min(stop, at + PIECE_BYTES));
            at += piece.length;
            this.sentBytes += piece.length;
            controller.enqueue(piece);
          } else if (cutAfter !== undefined && stop < bytes.length) controller.error(new TypeError('network error'));
          else if (hangAfter !== undefined && stop < bytes.length) await new Promise(() => undefined);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

/** Of any bytes, hexadecimal. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Bytes that begin like a model and then differ at every place, so that a piece in the wrong one shows. */
export function ggufBytes(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let state = seed;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  bytes.set(new TextEncoder().encode('GGUF'));
  return bytes;
}
