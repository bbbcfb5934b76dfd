import type { Catalog } from '../../core/protocol';
import type { Command } from '../context';

/** What the app shows of providers without importing them. The settings ask for it, and a chat never does. */
export const catalog: Command<Record<string, never>, Catalog> = async (_args, { environment }) => {
  const { PRESETS } = await import('../../providers/presets');
  return { providers: environment.providers.map(({ id, name }) => ({ id, name })), presets: PRESETS };
};
