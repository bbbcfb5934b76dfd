import type { ModelReference } from './node';
import { DEFAULT_CONTROLS, type ChatControls, type ToolPolicies } from './tool';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const LANGUAGES = ['auto', 'en', 'zh-Hans'] as const;
export type LanguageSetting = (typeof LANGUAGES)[number];

export const TEXT_SIZES = ['small', 'medium', 'large'] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

/** Every setting, one row each in the database. */
export interface Settings {
  readonly language: LanguageSetting;
  readonly theme: Theme;
  readonly textSize: TextSize;
  /** `enter` sends and Shift+Enter breaks the line, or the other way round with Ctrl/Cmd+Enter. */
  readonly sendKey: 'enter' | 'mod-enter';
  /** The model of new conversations. */
  readonly defaultModel: ModelReference | null;
  /** Say it outside the page when an answer ends while the page is hidden. */
  readonly notifications: boolean;
  /** Refuses every request that would leave this machine's app. */
  readonly offlineLock: boolean;
  /** Where models are downloaded from: the hub or a mirror that has the same paths. Ends in a slash. */
  readonly modelHost: string;
  /** A local model that was used last is loaded when the app starts. */
  readonly warmUpModel: boolean;
  /** Mode and switches of new conversations: those that were used last. */
  readonly controls: ChatControls;
  /** What the user decided for good about tools. */
  readonly toolPolicies: ToolPolicies;
  /** Milliseconds until a question answers itself; null: never. */
  readonly questionTimeoutMs: number | null;
  /** Reasoning is shown open while it streams. */
  readonly showReasoning: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  language: 'auto',
  theme: 'auto',
  textSize: 'medium',
  sendKey: 'enter',
  defaultModel: null,
  notifications: false,
  offlineLock: false,
  modelHost: 'https://huggingface.co/',
  warmUpModel: false,
  controls: DEFAULT_CONTROLS,
  toolPolicies: {},
  questionTimeoutMs: 180_000,
  showReasoning: false,
};
