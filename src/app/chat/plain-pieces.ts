/** Characters that a browser lays out without a pause. */
const PIECE_CHARACTERS = 8_192;

/** `text` in pieces that end at a blank or line break where there is one. Together they are the text. */
export function plainPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const limit = start + PIECE_CHARACTERS;
    const blank = limit < text.length ? Math.max(text.lastIndexOf(' ', limit), text.lastIndexOf('\n', limit)) + 1 : text.length;
    // Without a blank: never between the halves of one character.
    const hardEnd = limit + (/[\udc00-\udfff]/.test(text.charAt(limit)) ? 1 : 0);
    const end = blank > start ? blank : hardEnd;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
