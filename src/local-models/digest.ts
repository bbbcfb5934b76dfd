import { createMD5, createSHA256 } from 'hash-wasm';

/** What a file's bytes have to add up to, hexadecimal in lower case. */
export interface Digest {
  readonly algorithm: 'sha256' | 'md5';
  readonly hex: string;
}

/** A sum over bytes while they go by. */
export interface RunningDigest {
  add(data: Uint8Array): void;
  /** Whether all that was added is what was expected. Nothing can be added afterwards. */
  isMet(): boolean;
}

/** Begins to sum up what should become `expected`; where nobody said what that is, everything does. */
export async function startDigest(expected: Digest | null): Promise<RunningDigest> {
  if (expected === null) return { add: () => undefined, isMet: () => true };
  const hasher = await (expected.algorithm === 'md5' ? createMD5() : createSHA256());
  hasher.init();
  return {
    add: (data) => void hasher.update(data),
    isMet: () => hasher.digest('hex') === expected.hex,
  };
}

/** The digest that a text of 64 hexadecimal digits names; null for anything else. */
export function sha256Of(text: string | null | undefined): Digest | null {
  return text != null && /^[0-9a-f]{64}$/i.test(text) ? { algorithm: 'sha256', hex: text.toLowerCase() } : null;
}

/** As `sha256Of`, by the shorter sum that lists of weights hold: 32 digits. */
export function md5Of(text: string | null | undefined): Digest | null {
  return text != null && /^[0-9a-f]{32}$/i.test(text) ? { algorithm: 'md5', hex: text.toLowerCase() } : null;
}
