import { newAccount, type Account } from '../../core/account';
import type { Preset, ProviderDescription } from '../../core/protocol';

const NEW = 'new:';

/** The route item of a new account from a preset. */
export function newAccountItem(presetId: string): string {
  return `${NEW}${presetId}`;
}

/** Whether a route item names an account that is yet to be made. */
export function isNewAccount(item: string): boolean {
  return item.startsWith(NEW);
}

/** Id of the preset in the route item of a new account. */
export function presetOfItem(item: string): string {
  return item.slice(NEW.length);
}

/** Begins the ids of presets that stand for any server of a protocol: their names are descriptions, not proper names. */
const CUSTOM = 'custom';

/** How a preset is called: a proper name, or what `describe` makes of its protocol's name in the user's language. */
export function presetName(preset: Preset, providers: readonly ProviderDescription[], describe: (protocol: string) => string): string {
  const isCustom = preset.id === CUSTOM || preset.id.startsWith(`${CUSTOM}-`);
  return isCustom ? describe(providers.find(({ id }) => id === preset.provider)?.name ?? preset.name) : preset.name;
}

/** An account as its preset suggests it, not stored yet. */
export function accountFromPreset(preset: Preset, id: string, name: string): Account {
  return newAccount({ id, provider: preset.provider, preset: preset.id, name, baseUrl: preset.baseUrl });
}
