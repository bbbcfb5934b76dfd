/** The largest image that a message takes, before it is made smaller for a provider. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** Bytes that `imageTypeOf` needs. */
export const SIGNATURE_BYTES = 12;

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

const SIGNATURES: readonly { readonly type: ImageType; readonly at: number; readonly bytes: readonly number[] }[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  // "RIFF", four bytes of length, "WEBP"
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
];
const RIFF = [0x52, 0x49, 0x46, 0x46];

/** The kind of picture by its first bytes, whatever its name says; null for anything that no provider takes. */
export function imageTypeOf(head: Uint8Array): ImageType | null {
  const found = SIGNATURES.find(({ at, bytes }) => hasBytes(head, at, bytes));
  if (found?.type === 'image/webp' && !hasBytes(head, 0, RIFF)) return null;
  return found?.type ?? null;
}

function hasBytes(head: Uint8Array, at: number, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[at + index] === byte);
}
