import type { LanguageSetting } from '../../core/settings';
import { loadTexts, type Texts } from '../locales';

/** The texts of the current language. The old ones stay until the new ones are loaded, so nothing untranslated is ever drawn. */
export class TextsState {
  readonly #browserLanguages: readonly string[];
  readonly #pseudo: boolean;
  #texts: Texts;
  #wanted: LanguageSetting;

  constructor(texts: Texts, setting: LanguageSetting, options: { readonly browserLanguages: readonly string[]; readonly pseudo: boolean }) {
    this.#texts = $state.raw(texts);
    this.#wanted = setting;
    this.#browserLanguages = options.browserLanguages;
    this.#pseudo = options.pseudo;
  }

  get current(): Texts {
    return this.#texts;
  }

  /** Changes the language. Rejects when its chunk can't be fetched; the old language then stays. */
  async use(setting: LanguageSetting): Promise<void> {
    if (setting === this.#wanted) return;
    this.#wanted = setting;
    const texts = await loadTexts(setting, this.#browserLanguages, this.#pseudo);
    // A later choice may have overtaken this one.
    if (this.#wanted === setting) this.#texts = texts;
  }
}
