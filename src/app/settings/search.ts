import type { SettingsTexts } from '../locales/texts';
import type { SettingsSection } from '../state/route';

/** A setting that can be found: where it stands and what it is called. */
export interface SettingEntry {
  readonly section: SettingsSection;
  /** Id of its control; null for a section as a whole. */
  readonly item: string | null;
  readonly name: string;
  readonly effect: string;
}

/** Every section and field, in the order of the page. Fields of an account are found through their section. */
export function settingEntries(texts: SettingsTexts): readonly SettingEntry[] {
  const { sections, appearance, chat, privacy, data, about, accounts, models, tools } = texts;
  const entry = (
    section: SettingsSection,
    item: string | null,
    field: { readonly name: string; readonly effect: string },
  ): SettingEntry => ({
    section,
    item,
    name: field.name,
    effect: field.effect,
  });
  return [
    entry('accounts', null, sections.accounts),
    entry('accounts', null, { name: accounts.key.name, effect: accounts.key.effect }),
    entry('accounts', null, { name: accounts.test, effect: sections.accounts.effect }),
    entry('models', null, sections.models),
    entry('models', 'browser-model', models.browser),
    entry('models', 'own-model', models.own),
    entry('models', 'warm-up', models.warmUp),
    entry('models', 'model-host', models.host),
    entry('appearance', null, sections.appearance),
    entry('appearance', 'language', appearance.language),
    entry('appearance', 'theme', appearance.theme),
    entry('appearance', 'text-size', appearance.textSize),
    entry('appearance', 'show-reasoning', appearance.showReasoning),
    entry('chat', null, sections.chat),
    entry('chat', 'send-key', chat.sendKey),
    entry('chat', 'notifications', chat.notifications),
    entry('chat', 'default-model', chat.defaultModel),
    entry('tools', null, sections.tools),
    entry('tools', 'question-timeout', tools.timeout),
    entry('tools', 'debug-log', tools.log),
    entry('privacy', null, sections.privacy),
    entry('privacy', 'offline-lock', privacy.offlineLock),
    entry('privacy', 'ledger', privacy.ledger),
    entry('data', null, sections.data),
    entry('data', 'storage', data.storage),
    entry('data', 'persist', data.persist),
    entry('data', 'export', data.export),
    entry('data', 'import', data.import),
    entry('about', null, sections.about),
    entry('about', null, { name: about.version, effect: about.description }),
  ];
}

/** The entries in whose name or effect every word of `query` stands; names first. Case and width don't matter. */
export function searchSettings(entries: readonly SettingEntry[], query: string): readonly SettingEntry[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const byName = entries.filter((entry) => words.every((word) => fold(entry.name).includes(word)));
  const byEffect = entries.filter(
    (entry) => !byName.includes(entry) && words.every((word) => fold(`${entry.name} ${entry.effect}`).includes(word)),
  );
  return [...byName, ...byEffect];
}

function fold(text: string): string {
  return text.normalize('NFKC').toLocaleLowerCase().trim();
}
