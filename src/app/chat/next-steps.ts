import type { ErrorCode } from '../../core/errors';

export type NextStep = 'continue' | 'retry' | 'accounts' | 'unlock';

/** Failures whose cause lies in the account's settings: its key, its quota, its address. */
const ACCOUNT_CODES: ReadonlySet<ErrorCode> = new Set([
  'account-missing',
  'auth',
  'quota',
  'not-an-api',
  'server-unreachable',
  'origin-blocked',
  'mixed-content',
  'local-network-permission',
  'address-invalid',
  'header-forbidden',
  'key-unreadable',
]);

/** What the user can do about a failed answer, the likeliest first. `canContinue`: there is text to go on from. */
export function nextSteps(code: ErrorCode, canContinue: boolean): readonly NextStep[] {
  if (code === 'offline-lock') return ['unlock', 'retry'];
  if (ACCOUNT_CODES.has(code)) return ['accounts', 'retry'];
  return canContinue ? ['continue', 'retry'] : ['retry'];
}
