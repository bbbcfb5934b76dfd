/** Bytes written at once: a multiple of 3, so that pieces can be joined, and few enough for one call. */
const ENCODE_BYTES = 24_576;
/** Characters read at once: a multiple of 4. */
const DECODE_CHARACTERS = 32_768;

/** Bytes as base64, in slices, so that a large file needs no second copy as one string of characters. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += ENCODE_BYTES) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + ENCODE_BYTES))));
  }
  return pieces.join('');
}

/** The bytes of a base64 text, or undefined where it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0) return undefined;
  const bytes = new Uint8Array((text.length / 4) * 3);
  let length = 0;
  for (let start = 0; start < text.length; start += DECODE_CHARACTERS) {
    const characters = decodeSlice(text.slice(start, start + DECODE_CHARACTERS));
    if (characters === undefined) return undefined;
    for (let index = 0; index < characters.length; index += 1) bytes[length++] = characters.charCodeAt(index);
  }
  return bytes.slice(0, length);
}

function decodeSlice(slice: string): string | undefined {
  try {
    return atob(slice);
  } catch {
    // The only way that `atob` fails: characters that are not base64.
    return undefined;
  }
}
