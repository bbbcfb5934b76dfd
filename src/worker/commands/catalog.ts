import type { Catalog } from '../../core/protocol';
import { PROVIDERS } from '../../providers';
import { PRESETS } from '../../providers/presets';
import type { Command } from '../context';

/** What the app shows of providers without importing them. */
export const catalog: Command<Record<string, never>, Catalog> = async () => ({
  providers: PROVIDERS.map(({ id, name }) => ({ id, name })),
  presets: PRESETS,
});
