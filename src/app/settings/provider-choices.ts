import { isThisMachine } from './local-server';

/** Whether its protocol has a switch for keeping answers on the provider's side. */
export function canStore(provider: string): boolean {
  return provider === 'openai-responses';
}

/** Whether the server behind an account may be able to search the web by itself: services can, servers of one's own can't. */
export function canSearch(isLocalPreset: boolean, baseUrl: string): boolean {
  return !isLocalPreset && !isThisMachine(baseUrl);
}
