import type { Handlers } from '../../bridge/rpc';
import type { PageCalls } from '../../core/protocol';
import { windowFetch } from './window-fetch';

/** What the page does for the worker. */
export const pageCalls: Handlers<PageCalls> = { 'window-fetch': windowFetch };
