import type { Catalog } from '../../core/protocol';
import { PRESETS } from '../../providers/presets';
import type { Command } from '../context';

/** What the app shows of providers without importing them. */
export const catalog: Command<Record<string, never>, Catalog> = async (_args, { environment }) => ({
  providers: environment.providers.map(({ id, name }) => ({ id, name })),
  presets: PRESETS,
});
