import type { LanguageSetting } from '../../core/settings';
import type { Texts } from './texts';

/** A language the interface speaks, as a BCP 47 tag. */
export type Language = Exclude<LanguageSetting, 'auto'>;

interface LanguageEntry {
  readonly tag: Language;
  /** Its own name, so that it can be found by someone who reads no other. */
  readonly name: string;
  /** Fetches its texts; a chunk of its own. Rejects when the chunk can't be fetched. */
  readonly load: () => Promise<Texts>;
}

/** Every language, in the order in which they are offered. */
export const LANGUAGE_LIST: readonly LanguageEntry[] = [
  { tag: 'en', name: 'English', load: async () => (await import('./en/texts')).texts },
  { tag: 'zh-Hans', name: '简体中文', load: async () => (await import('./zh-Hans/texts')).texts },
];

/** The language to show: the setting, else the first of the browser's languages that we speak, else English. */
export function resolveLanguage(setting: LanguageSetting, browserLanguages: readonly string[]): Language {
  if (setting !== 'auto') return setting;
  for (const tag of browserLanguages) {
    const primary = tag.toLowerCase().split('-')[0];
    if (primary === 'zh') return 'zh-Hans';
    if (primary === 'en') return 'en';
  }
  return 'en';
}
