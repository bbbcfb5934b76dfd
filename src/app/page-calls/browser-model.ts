import { AppError } from '../../core/errors';
import type { PageCalls } from '../../core/protocol';

/** One answer of the browser's own model. */
export async function browserModel(_request: PageCalls['browser-model']['args']): Promise<PageCalls['browser-model']['result']> {
  throw new AppError('browser-model-unavailable');
}
