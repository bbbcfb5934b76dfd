import type { Account } from '../../core/account';
import type { Preset } from '../../core/protocol';

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

/** Id of the preset that stands for any server of the same protocol: the only one whose name is a description. */
const CUSTOM = 'custom';

/** How a preset is called: a proper name, or in words of the user's language. */
export function presetName(preset: Preset, customName: string): string {
  return preset.id === CUSTOM ? customName : preset.name;
}

/** An account as its preset suggests it, not stored yet. */
export function accountFromPreset(preset: Preset, id: string, name: string): Account {
  return {
    id,
    provider: preset.provider,
    preset: preset.id,
    name,
    baseUrl: preset.baseUrl,
    hasKey: false,
    streaming: true,
    reasoning: 'auto',
    sampling: {},
    headers: [],
    body: {},
    overrides: {},
  };
}
