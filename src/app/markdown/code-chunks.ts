/** Lines of one element of a long code block: few enough that a browser lays out and colours one without a pause. */
export const CHUNK_LINES = 100;
/** Characters of one element: a line that is longer has elements of its own, and lies in several. */
export const CHUNK_CHARACTERS = 4_096;

/**
 * `text` in pieces of at most `CHUNK_LINES` lines and `CHUNK_CHARACTERS` characters; a longer line is one piece. Every piece but the last ends
 * with its line break. Together they are the text.
 */
export function splitLines(text: string): readonly string[] {
  const chunks: string[] = [];
  let start = 0;
  let lines = 0;
  const cutAt = (end: number): void => {
    if (end > start) chunks.push(text.slice(start, end));
    start = end;
    lines = 0;
  };
  for (let lineStart = 0; lineStart < text.length;) {
    const lineBreak = text.indexOf('\n', lineStart);
    const lineEnd = lineBreak < 0 ? text.length : lineBreak + 1;
    if (lines === CHUNK_LINES || lineEnd - start > CHUNK_CHARACTERS) cutAt(lineStart);
    lines++;
    lineStart = lineEnd;
  }
  cutAt(text.length);
  return chunks.length === 0 ? [''] : chunks;
}

/** A line that is longer than `CHUNK_CHARACTERS` in parts of that size, so that only its end is laid out again when it grows; other text is one part. */
export function splitLongLine(text: string): readonly string[] {
  if (text.length <= CHUNK_CHARACTERS) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const code = text.charCodeAt(start + CHUNK_CHARACTERS);
    // Never between the halves of one character.
    const end = start + CHUNK_CHARACTERS + (code >= 0xdc00 && code <= 0xdfff ? 1 : 0);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
