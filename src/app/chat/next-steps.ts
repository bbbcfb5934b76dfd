import type { ErrorCode } from '../../core/errors';

export type NextStep = 'continue' | 'retry' | 'accounts' | 'models' | 'unlock';

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

/** Failures of a model on this device: it has to be fetched, or another one does. */
const MODEL_CODES: ReadonlySet<ErrorCode> = new Set(['model-not-downloaded', 'model-load-failed', 'out-of-memory']);

/** What the user can do about a failed answer, the likeliest first. `canContinue`: there is text to go on from. */
export function nextSteps(code: ErrorCode, canContinue: boolean): readonly NextStep[] {
  if (code === 'offline-lock') return ['unlock', 'retry'];
  if (ACCOUNT_CODES.has(code)) return ['accounts', 'retry'];
  if (MODEL_CODES.has(code)) return ['models', 'retry'];
  return canContinue ? ['continue', 'retry'] : ['retry'];
}
