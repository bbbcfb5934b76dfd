import type { settings } from './en/settings';
import type { texts } from './en/texts';
import type { tools } from './en/tools';

/** Everything the interface says, in one language. English is the shape; every other language has the same keys. */
export type Texts = typeof texts;

/** What the settings page says, in one language. */
export type SettingsTexts = typeof settings;

/** What is said about tools, in one language. */
export type ToolTexts = typeof tools;

/** What an error says: what happened (and why), and the next step. */
export interface ErrorText {
  readonly title: string;
  readonly advice: string;
}
