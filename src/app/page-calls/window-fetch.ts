import { AppError, isAbort } from '../../core/errors';
import type { PageCalls } from '../../core/protocol';

/**
 * A request that only the window may make: browsers ask for the permission to reach the local network in a page, not in a worker. The
 * worker's gate has checked and recorded it before it comes here. The body is handed over as a stream. Throws `server-unreachable` where
 * no answer came; an abort rejects with its reason.
 */
export async function windowFetch(
  { url, method, headers, body }: PageCalls['window-fetch']['args'],
  { signal }: { readonly signal: AbortSignal },
): Promise<PageCalls['window-fetch']['result']> {
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: response.body };
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new AppError('server-unreachable', { retryable: true, details: { host: URL.parse(url)?.host ?? '' }, cause: error });
  }
}
