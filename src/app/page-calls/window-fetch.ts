import { AppError, isAbort } from '../../core/errors';
import type { PageCalls } from '../../core/protocol';

/**
 * A request that only the window may make: browsers ask for the permission to reach the local network in a page, not in a worker. The
 * worker's gate has checked and recorded it before it comes here. The body is handed over as a stream. Throws `server-unreachable` where
 * no answer came; an abort rejects with its reason.
 */
export async function windowFetch(
  { url, method, headers, body, targetAddressSpace }: PageCalls['window-fetch']['args'],
  { signal }: { readonly signal: AbortSignal },
): Promise<PageCalls['window-fetch']['result']> {
  try {
    // Chromium asks for its permission where the target is named; other browsers don't know the field.
    const request: RequestInit & { targetAddressSpace: string } = {
      method,
      headers,
      body,
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'manual',
      targetAddressSpace,
    };
    const response = await fetch(url, request);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: response.body };
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new AppError('server-unreachable', { retryable: true, details: { host: URL.parse(url)?.host ?? '' }, cause: error });
  }
}
