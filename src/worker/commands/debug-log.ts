import type { Commands } from '../../core/protocol';
import type { Command } from '../context';

/** What was written down in agent-dev mode. */
export const debugLog: Command<Commands['debug-log']['args'], Commands['debug-log']['result']> = async () =>
  (await import('../debug-files')).readDebugLog();

/** Removes what was written down. */
export const clearDebugLog: Command<Commands['clear-debug-log']['args'], null> = async () => {
  await (await import('../debug-files')).clearDebugFiles();
  return null;
};
