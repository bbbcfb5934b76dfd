import type { ProviderIo } from '../providers/provider';
import type { Environment } from './environment';

/** What a provider may use of this worker's surroundings, for one request. */
export function providerIo(environment: Environment, key: string | null, signal: AbortSignal): ProviderIo {
  const { gate, local, page } = environment;
  return { gate, key, signal, newId: () => environment.newId(), local, page };
}
