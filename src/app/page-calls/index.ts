import type { Handlers } from '../../bridge/rpc';
import type { PageCalls } from '../../core/protocol';

/** What the page does for the worker. Each is fetched with its first use: most people need none of them. */
export const pageCalls: Handlers<PageCalls> = {
  'window-fetch': async (args, call) => (await import('./window-fetch')).windowFetch(args, call),
  'browser-model': async (args, call) => (await import('./browser-model')).browserModel(args, call),
};
