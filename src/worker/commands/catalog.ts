import type { Catalog } from '../../core/protocol';
import type { Command } from '../context';

/** What the app shows of providers and tools without importing them. The settings ask for it, and a chat never does. */
export const catalog: Command<Record<string, never>, Catalog> = async (_args, { environment }) => {
  const [{ PRESETS }, { TOOLS }] = await Promise.all([import('../../providers/presets'), import('../../tools')]);
  return {
    tools: TOOLS.map(({ name, group, approval, isAgentTool }) => ({ name, group, approval, isAgentTool })),
    providers: environment.providers.map(({ id, name }) => ({ id, name })),
    presets: PRESETS,
  };
};
