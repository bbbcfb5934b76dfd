import type { LanguageSetting } from '../../core/settings';
import { LANGUAGE_LIST, resolveLanguage } from './languages';
import { pseudoTexts } from './pseudo';
import type { Texts as TextsOfEnglish } from './texts';

/** Everything the interface says, in one language. */
export type Texts = TextsOfEnglish;

/**
 * The texts of one language; only its chunk is fetched. With `pseudo` the English texts come accented and 40 % longer, to find text that
 * is not translated or does not fit. Rejects when the chunk can't be fetched.
 */
export async function loadTexts(setting: LanguageSetting, browserLanguages: readonly string[], pseudo: boolean): Promise<Texts> {
  const language = pseudo ? 'en' : resolveLanguage(setting, browserLanguages);
  const entry = LANGUAGE_LIST.find((candidate) => candidate.tag === language) ?? LANGUAGE_LIST[0];
  if (entry === undefined) throw new Error('no language');
  const texts = await entry.load();
  return pseudo ? pseudoTexts(texts) : texts;
}
