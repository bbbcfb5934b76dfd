import { sentenceEnd } from '../../core/sentences';

/** What a growing answer says to those who hear it: whole sentences, each once, without the marks of its markup. */
export class SpokenAnswer {
  #spoken: number;

  /** `known` characters were there before anyone listened and are not said. */
  constructor(known: number) {
    this.#spoken = known;
  }

  /** The sentences that are complete and were not said yet; of an answer that is over, the rest. `code` is said in the place of code. */
  next(text: string, isOver: boolean, code: string): string {
    const rest = text.slice(this.#spoken);
    let end = 0;
    for (let found = sentenceEnd(rest, 1); found !== null; found = sentenceEnd(rest, found + 1)) end = found;
    if (isOver) end = rest.length;
    this.#spoken += end;
    return plain(rest.slice(0, end), code);
  }
}

function plain(markdown: string, code: string): string {
  return markdown
    .replaceAll(/^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1.*$|(?![^]))/gm, ` ${code} `)
    .replaceAll(/!?\[([^\]\n]*)\](?:\([^)\n]*\))?/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6}|>+|[-*+]|\|?[ \t]*:?-{3,}[-:| \t]*)[ \t]*/gm, '')
    .replaceAll(/[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}|\|/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
