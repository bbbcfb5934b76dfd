import { liveQuery } from 'dexie';
import { DEFAULT_SETTINGS, type Settings } from '../../core/settings';
import type { JackdawDatabase } from '../../storage/db';
import { readSettings, writeSetting } from '../../storage/settings';
import type { Stamp } from '../../storage/stamp';
import { paint, readPaintHint, writePaintHint, type PaintHint } from './paint';

interface SettingsOptions {
  readonly database: JackdawDatabase;
  /** Time and device of a change made now. */
  readonly stamp: () => Stamp;
  readonly root: HTMLElement;
  /** Matches while the system is dark. */
  readonly systemDark: MediaQueryList;
  readonly storage: () => Storage;
  /** Hears of failures and of a change of language, here or in another tab. */
  readonly onError: (error: unknown) => void;
  readonly onLanguage: (language: Settings['language']) => void;
}

/** All settings, in step with every tab, and their effect on the document. Lives as long as the page. */
export class SettingsState {
  readonly #options: SettingsOptions;
  #settings: Settings;
  #hint: PaintHint;

  /** Starts with the copy of the last visit; the database's values follow at once. */
  constructor(options: SettingsOptions) {
    this.#options = options;
    const hint = readPaintHint(options.storage);
    this.#hint = $state.raw(hint);
    this.#settings = $state.raw({ ...DEFAULT_SETTINGS, theme: hint.theme, textSize: hint.textSize, language: hint.language });
    this.#apply();
  }

  /** Time and device of a change that is made now. */
  stamp(): Stamp {
    return this.#options.stamp();
  }

  get current(): Settings {
    return this.#settings;
  }

  /** Whether the sidebar stands open on a wide window: a matter of this browser, not a setting that travels. */
  get isSidebarOpen(): boolean {
    return this.#hint.sidebarOpen;
  }

  setSidebarOpen(sidebarOpen: boolean): void {
    this.#hint = { ...this.#hint, sidebarOpen };
    writePaintHint(this.#options.storage, this.#hint);
  }

  /** Follows the database and the system's theme until the returned function is called. */
  start(): () => void {
    const applySystem = (): void => {
      this.#apply();
    };
    this.#options.systemDark.addEventListener('change', applySystem);
    const subscription = liveQuery(() => readSettings(this.#options.database)).subscribe({
      next: (settings) => {
        this.#replace(settings);
      },
      error: this.#options.onError,
    });
    return () => {
      this.#options.systemDark.removeEventListener('change', applySystem);
      subscription.unsubscribe();
    };
  }

  /** Changes a setting: shown at once, stored, and taken back with a notice where storing fails. */
  async set<K extends keyof Settings>(key: K, value: Settings[K]): Promise<void> {
    const before = this.#settings[key];
    this.#replace({ ...this.#settings, [key]: value });
    try {
      await writeSetting(this.#options.database, key, value, this.#options.stamp());
    } catch (error) {
      this.#replace({ ...this.#settings, [key]: before });
      this.#options.onError(error);
    }
  }

  #replace(settings: Settings): void {
    const language = this.#settings.language;
    this.#settings = settings;
    this.#apply();
    if (settings.language !== language) this.#options.onLanguage(settings.language);
    const { theme, textSize } = settings;
    if (theme === this.#hint.theme && textSize === this.#hint.textSize && settings.language === this.#hint.language) return;
    this.#hint = { ...this.#hint, theme, textSize, language: settings.language };
    writePaintHint(this.#options.storage, this.#hint);
  }

  #apply(): void {
    paint(this.#options.root, this.#settings, this.#options.systemDark.matches);
  }
}
