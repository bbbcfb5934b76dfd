/** Lines of one element of a long code block: few enough that a browser lays out and colours one without a pause. */
export const CHUNK_LINES = 100;

/** `text` in pieces of `CHUNK_LINES` lines; every piece but the last ends with its line break. Together they are the text. */
export function splitLines(text: string): readonly string[] {
  const chunks: string[] = [];
  let start = 0;
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (++lines % CHUNK_LINES > 0) continue;
    chunks.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return start < text.length || chunks.length === 0 ? [...chunks, text.slice(start)] : chunks;
}
