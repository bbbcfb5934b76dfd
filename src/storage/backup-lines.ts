const SLICE_BYTES = 1024 * 1024;
/** A file of 100 MB in base64 fits; anything longer is not a line of ours. */
const MAX_LINE_BYTES = 200 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface TextLine {
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Without its line break and byte order mark; undefined where it is too long or no UTF-8. */
  readonly text: string | undefined;
}

/**
 * The lines of a file, read slice by slice, so that never more than one line is held. LF and CRLF end a line, the last one needs no end;
 * blank lines are left out. An abort rejects between two slices.
 */
export async function* readLines(file: Blob, signal: AbortSignal): AsyncGenerator<TextLine, void, undefined> {
  let number = 0;
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < file.size; start += SLICE_BYTES) {
    signal.throwIfAborted();
    const slice = new Uint8Array(await file.slice(start, start + SLICE_BYTES).arrayBuffer());
    let from = 0;
    for (let end = slice.indexOf(NEWLINE); end !== -1; end = slice.indexOf(NEWLINE, from)) {
      pieces.push(slice.subarray(from, end));
      number += 1;
      const text = joinText(pieces);
      if (text !== '') yield { number, text };
      pieces = [];
      from = end + 1;
    }
    pieces = withRest(pieces, slice.subarray(from));
  }
  const text = joinText(pieces);
  if (text !== '') yield { number: number + 1, text };
}

/** Adds the unfinished end of a slice; what is too long already grows no further. */
function withRest(pieces: Uint8Array<ArrayBuffer>[], rest: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  return sizeOf(pieces) > MAX_LINE_BYTES ? pieces : [...pieces, rest];
}

function joinText(pieces: readonly Uint8Array<ArrayBuffer>[]): string | undefined {
  if (sizeOf(pieces) > MAX_LINE_BYTES) return undefined;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const texts = pieces.map((piece) => decoder.decode(piece, { stream: true }));
    return (texts.join('') + decoder.decode()).trim();
  } catch {
    // Fatal decoding throws for one reason: the bytes are no UTF-8.
    return undefined;
  }
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
}
