import type { settings } from './en/settings';
import type { texts } from './en/texts';

/** Everything the interface says, in one language. English is the shape; every other language has the same keys. */
export type Texts = typeof texts;

/** What the settings page says, in one language. */
export type SettingsTexts = typeof settings;

/** What an error says: what happened (and why), and the next step. */
export interface ErrorText {
  readonly title: string;
  readonly advice: string;
}
