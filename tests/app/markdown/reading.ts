import type { DocumentView } from '../../../src/app/markdown/document';
import { MarkdownDocument } from '../../../src/app/markdown/document';

/** Takes `text` to its end, however many steps that needs. */
export function readAll(document: MarkdownDocument, text: string, isStreaming: boolean): DocumentView {
  let view = document.read(text, isStreaming);
  while (view.isBehind) view = document.read(text, isStreaming);
  return view;
}

/** What a text is read as that is there in full. */
export const atOnce = (text: string): DocumentView => readAll(new MarkdownDocument(), text, false);

/** What it is read as that was seen at each of the lengths `cuts` before. */
export function streamed(text: string, cuts: readonly number[]): DocumentView {
  const document = new MarkdownDocument();
  for (const cut of cuts) readAll(document, text.slice(0, cut), true);
  return readAll(document, text, false);
}

/** Every length of a text, in UTF-16 units: cuts characters of two units in halves. */
export const everyCut = (text: string): readonly number[] => Array.from(text.split(''), (_, at) => at + 1);
