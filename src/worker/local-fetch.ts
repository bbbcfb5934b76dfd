import { AppError } from '../core/errors';
import type { PageCalls } from '../core/protocol';
import { addressSpace, isLoopback } from '../outbound/address';

/** The page's end of the port, as far as it is needed here. */
export interface PageFetch {
  call(name: 'window-fetch', args: PageCalls['window-fetch']['args'], signal?: AbortSignal): Promise<PageCalls['window-fetch']['result']>;
}

/**
 * `fetch`, but requests to this machine or its network go through the window when the app itself comes from elsewhere: browsers ask for
 * that permission in a page only. The gate stands before it either way.
 */
export function withWindow(direct: typeof fetch, page: PageFetch, pageOrigin: string): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const space = addressSpace(url.hostname);
    if (space === 'public' || isLoopback(new URL(pageOrigin).hostname)) return direct(input, init);
    const result = await page.call(
      'window-fetch',
      {
        url: url.href,
        method: init?.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : null,
        targetAddressSpace: space === 'loopback' ? 'loopback' : 'local',
      },
      init?.signal ?? undefined,
    );
    // A redirect that was not followed has status 0, which no response can be made with.
    if (result.status === 0) throw new AppError('address-invalid', { details: { host: url.host, reason: 'redirect' } });
    return new Response(result.body instanceof ReadableStream ? result.body : null, { status: result.status, headers: result.headers });
  };
}
