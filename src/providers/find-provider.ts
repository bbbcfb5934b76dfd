import { AppError } from '../core/errors';
import { PROVIDERS } from './index';
import type { Provider } from './provider';

/** The provider of an account. Throws `account-missing` for an id of no provider, as an account of a newer version may have. */
export function findProvider(id: string): Provider {
  const provider = PROVIDERS.find((candidate) => candidate.id === id);
  if (provider === undefined) throw new AppError('account-missing', { details: { provider: id } });
  return provider;
}
