import { createContext } from 'svelte';
import type { Texts } from '../locales';
import type { SettingsTexts } from '../locales/texts';

/** The texts of the settings page. The old ones stay until those of a new language are loaded. */
export class SettingsTextsState {
  #texts: SettingsTexts;
  #source: Texts;

  constructor(source: Texts, texts: SettingsTexts) {
    this.#source = source;
    this.#texts = $state.raw(texts);
  }

  get current(): SettingsTexts {
    return this.#texts;
  }

  /** Changes to the language of `source`. Rejects when its chunk can't be fetched; the old texts then stay. */
  async follow(source: Texts): Promise<void> {
    if (source === this.#source) return;
    this.#source = source;
    const texts = await source.loadSettings();
    // A later choice may have overtaken this one.
    if (this.#source === source) this.#texts = texts;
  }
}

export const [getSettingsTexts, setSettingsTexts] = createContext<SettingsTextsState>();
