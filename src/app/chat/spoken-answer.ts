import { lastSentenceEnd } from '../../core/sentences';

/** Said at once; who would hear more reads the message. Minutes of speech, which no model at a reader's pace fills between two calls. */
const MOST_SAID_CHARACTERS = 4_000;

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
    const end = isOver ? rest.length : lastSentenceEnd(rest);
    this.#spoken += end;
    const words = plain(rest.slice(0, end), code);
    return words.length > MOST_SAID_CHARACTERS ? `${words.slice(0, MOST_SAID_CHARACTERS)} …` : words;
  }
}

function plain(markdown: string, code: string): string {
  return markdown
    .replaceAll(/^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1.*$|(?![^]))/gm, ` ${code} `)
    .replaceAll(/!?\[([^[\]\n]*)\](?:\([^)\n]{0,2000}\))?/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6}|>+|[-*+]|\|?[ \t]*:?-{3,}[-:| \t]*)[ \t]*/gm, '')
    .replaceAll(/[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}|\|/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
