import type { Texts } from '../locales';
import type { ToolTexts } from '../locales/texts';

/** The texts about tools in the current language. Undefined until they are fetched; the old ones stay until those of a new language are there. */
export class ToolTextsState {
  readonly #source: () => Texts;
  #texts = $state.raw<ToolTexts | undefined>(undefined);
  #wanted: Texts | undefined;

  /** `source` gives the texts of the current language and is read reactively. */
  constructor(source: () => Texts) {
    this.#source = source;
  }

  /** Reading it fetches. A chunk that can't be fetched is asked for again by the next language only; what was there stays. */
  get current(): ToolTexts | undefined {
    const source = this.#source();
    if (source !== this.#wanted) {
      this.#wanted = source;
      source.loadTools().then(
        (texts) => {
          // A later choice may have overtaken this one.
          if (this.#wanted === source) this.#texts = texts;
        },
        () => undefined,
      );
    }
    return this.#texts;
  }
}
