import { splitLines } from './code-chunks';
import { whenIdle } from './idle';

/** Beyond this size, in characters, colours cost more than they help to read. */
const LARGEST_HIGHLIGHTED_CHARACTERS = 100_000;
/** Coloured at once; a string or a comment that is longer ends here, and a longer line is no code for readers: 20 ms on an old laptop. */
const LARGEST_PIECE_CHARACTERS = 20_000;
/** A page that never rests still gets its colours. */
const IDLE_TIMEOUT_MS = 500;

/** A part of a code block: as it is, or with colours once there are any. */
export interface CodePiece {
  readonly text: string;
  /** Escaped HTML of the same text, or null for no colours. */
  readonly html: string | null;
}

const idle = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const cancel = whenIdle(resolve, IDLE_TIMEOUT_MS);
    signal.addEventListener(
      'abort',
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });

/** The code without colours. */
export function plainPieces(text: string): readonly CodePiece[] {
  return splitLines(text).map((piece) => ({ text: piece, html: null }));
}

/**
 * The code with colours, made piece by piece in idle time; null when the language is unknown, the code is too large, the colours could not be
 * fetched, or `signal` fired. A piece that ends inside a string or a comment takes the next one in, so that its colours are right.
 */
export async function highlightCode(text: string, language: string, signal: AbortSignal): Promise<readonly CodePiece[] | null> {
  if (language === '' || text.length > LARGEST_HIGHLIGHTED_CHARACTERS) return null;
  await idle(signal);
  if (signal.aborted) return null;
  const { highlightPiece, knowsLanguage } = await import('./highlighter');
  const name = language.toLowerCase();
  if (!knowsLanguage(name)) return null;
  const pieces: CodePiece[] = [];
  let open = '';
  const chunks = splitLines(text);
  for (const [at, chunk] of chunks.entries()) {
    await idle(signal);
    if (signal.aborted) return null;
    if (open.length + chunk.length > LARGEST_PIECE_CHARACTERS) {
      if (open !== '') pieces.push({ text: open, html: highlightPiece(open, name).html });
      open = '';
    }
    if (chunk.length > LARGEST_PIECE_CHARACTERS) {
      pieces.push({ text: chunk, html: null });
      continue;
    }
    open += chunk;
    const { html, isUnfinished } = highlightPiece(open, name);
    if (isUnfinished && at < chunks.length - 1) continue;
    pieces.push({ text: open, html });
    open = '';
  }
  if (open !== '') pieces.push({ text: open, html: highlightPiece(open, name).html });
  return pieces;
}
