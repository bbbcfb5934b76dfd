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

/** An account as its preset suggests it, not stored yet. */
export function accountFromPreset(preset: Preset, id: string): Account {
  return {
    id,
    provider: preset.provider,
    preset: preset.id,
    name: preset.name,
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
