import { AppError } from '../core/errors';
import type { Gate } from '../outbound/gate';

/** A download that says nothing for so long is broken off; what arrived stays. */
const SILENCE_MS = 60_000;
/** How a hub says that it has no such file. It tells nobody apart from those who may not see it. */
const NOT_THERE: readonly unknown[] = [401, 403, 404, 410];

/**
 * Asks for a file of a model, from a byte on where `from` is given. Throws `model-not-found` with the file's name, `model-file-invalid` for
 * a page in place of it, else what the gate throws.
 */
export async function requestModelFile(url: string, gate: Gate, signal: AbortSignal, from?: number): Promise<Response> {
  const name = fileNameOf(url);
  let response: Response;
  try {
    response = await gate.fetch(url, {
      purpose: 'model-download',
      signal,
      timeoutMs: SILENCE_MS,
      // Asked for by its range even from the start, a file is not packed on its way: then its length is true.
      ...(from === undefined ? {} : { headers: { range: `bytes=${from}-` } }),
    });
  } catch (error) {
    if (!(error instanceof AppError) || !NOT_THERE.includes(error.details['status'])) throw error;
    throw new AppError('model-not-found', { details: { ...error.details, modelId: name }, cause: error });
  }
  if (!(response.headers.get('content-type') ?? '').includes('text/html')) return response;
  await response.body?.cancel();
  throw invalidFile(name, 'page');
}

/** A file that is not what it should be. `reason` is for the trace. */
export function invalidFile(name: string, reason: 'page' | 'size' | 'sum' | 'magic' | 'range' | 'content'): AppError {
  return new AppError('model-file-invalid', { details: { name, reason } });
}

/** The last part of an address, readable. */
export function fileNameOf(url: string): string {
  const name =
    url
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
