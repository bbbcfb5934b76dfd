import type { MediaPart } from './node';

/** The largest file that a message takes; a picture is made smaller for a provider after that. */
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;

/** Bytes that `mediaTypeOf` reads: the tracks of a sound file are named within them. */
export const HEAD_BYTES = 64 * 1024;

export interface MediaType {
  readonly kind: MediaPart['kind'];
  readonly mimeType: string;
}

interface Signature extends MediaType {
  readonly at: number;
  readonly bytes: string;
  /** What else the head must say, where the first bytes belong to several formats. */
  readonly matches?: (head: Uint8Array) => boolean;
}

const isOnlySound = (sound: RegExp, video: RegExp) => (head: Uint8Array) => {
  const text = latin1(head);
  return sound.test(text) && !video.test(text);
};
const isRiffOf = (form: string) => (head: Uint8Array) => latin1(head.subarray(8, 12)) === form;

const SIGNATURES: readonly Signature[] = [
  { kind: 'image', mimeType: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { kind: 'image', mimeType: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { kind: 'image', mimeType: 'image/gif', at: 0, bytes: 'GIF8' },
  { kind: 'image', mimeType: 'image/webp', at: 0, bytes: 'RIFF', matches: isRiffOf('WEBP') },
  { kind: 'document', mimeType: 'application/pdf', at: 0, bytes: '%PDF-' },
  { kind: 'audio', mimeType: 'audio/wav', at: 0, bytes: 'RIFF', matches: isRiffOf('WAVE') },
  { kind: 'audio', mimeType: 'audio/flac', at: 0, bytes: 'fLaC' },
  { kind: 'audio', mimeType: 'audio/mpeg', at: 0, bytes: 'ID3' },
  {
    kind: 'audio',
    mimeType: 'audio/ogg',
    at: 0,
    bytes: 'OggS',
    matches: isOnlySound(/OpusHead|vorbis|FLAC|Speex {3}/, /theora/),
  },
  { kind: 'audio', mimeType: 'audio/mp4', at: 4, bytes: 'ftypM4A ' },
  { kind: 'audio', mimeType: 'audio/mp4', at: 4, bytes: 'ftypM4B ' },
  // Recorders use the brands of films; the kinds of the tracks tell them apart.
  { kind: 'audio', mimeType: 'audio/mp4', at: 4, bytes: 'ftyp', matches: isOnlySound(/soun/, /vide/) },
  // The head of Matroska, of which WebM is a part.
  {
    kind: 'audio',
    mimeType: 'audio/webm',
    at: 0,
    bytes: '\x1a\x45\xdf\xa3',
    matches: isOnlySound(/webm[^]*A_(?:OPUS|VORBIS)/, /V_(?:VP|AV1)/),
  },
];

/** What a file is by its first bytes, whatever its name says; null for anything that no provider takes. */
export function mediaTypeOf(head: Uint8Array): MediaType | null {
  const found = SIGNATURES.find(
    ({ at, bytes, matches }) => latin1(head.subarray(at, at + bytes.length)) === bytes && matches?.(head) !== false,
  );
  if (found !== undefined) return { kind: found.kind, mimeType: found.mimeType };
  return frameTypeOf(head);
}

/** Sound without any head of its own: it begins with a frame, eleven or twelve set bits and figures that a frame can have. */
function frameTypeOf([first = 0, second = 0, third = 0]: Uint8Array): MediaType | null {
  if (first !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return { kind: 'audio', mimeType: 'audio/aac' };
  const isLayer3 = (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  const hasRates = (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c;
  return isLayer3 && hasRates ? { kind: 'audio', mimeType: 'audio/mpeg' } : null;
}

function latin1(bytes: Uint8Array): string {
  // In pieces: a function takes only so many arguments.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, index) => bytes.subarray(index * 4096, (index + 1) * 4096));
  return pieces.map((piece) => String.fromCharCode(...piece)).join('');
}
