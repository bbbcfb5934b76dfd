import { AppError } from '../core/errors';

const BYTES_PER_ID = 16;
const WRITTEN_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEXADECIMAL: readonly string[] = Array.from({ length: 256 }, (_value, byte) => byte.toString(16).padStart(2, '0'));

/** Whether a text is a node's id as it is stored: a UUID in lower case. Any other form would come back changed. */
export function isNodeId(text: string): boolean {
  return WRITTEN_FORM.test(text);
}

/** Writes the 16 bytes of an id at place `index` of a packed column. Throws `internal` where the id is no lower-case UUID. */
export function writeNodeId(id: string, column: Uint8Array, index: number): void {
  if (!isNodeId(id)) throw new AppError('internal', { details: { reason: 'a node id must be a lower-case UUID', id } });
  const digits = id.replaceAll('-', '');
  for (let byte = 0; byte < BYTES_PER_ID; byte += 1) {
    column[index * BYTES_PER_ID + byte] = Number.parseInt(digits.slice(byte * 2, byte * 2 + 2), 16);
  }
}

/** The id at place `index` of a packed column. */
export function readNodeId(column: Uint8Array, index: number): string {
  const at = index * BYTES_PER_ID;
  const pair = (offset: number): string =>
    (HEXADECIMAL[column[at + offset] ?? 0] ?? '') + (HEXADECIMAL[column[at + offset + 1] ?? 0] ?? '');
  return `${pair(0)}${pair(2)}-${pair(4)}-${pair(6)}-${pair(8)}-${pair(10)}${pair(12)}${pair(14)}`;
}
