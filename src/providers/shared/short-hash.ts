const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** FNV-1a. */
const PRIME = 0x01000193;
const SEEDS = [0x811c9dc5, 0x050c5d1f] as const;

/** A text as `length` (up to 10) letters and digits: always the same, and practically never those of another text. No protection of anything. */
export function shortHash(text: string, length: number): string {
  return SEEDS.map((seed) => digits(hash(text, seed)))
    .join('')
    .slice(0, length);
}

function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), PRIME);
  // The last characters have to reach all bits.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

function digits(value: number): string {
  let rest = value;
  let text = '';
  // 62^5 is less than 2^32: five digits use the value up.
  for (let place = 0; place < 5; place += 1) {
    text += ALPHABET.charAt(rest % ALPHABET.length);
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
