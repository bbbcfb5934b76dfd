import type { SettingsTexts, ToolTexts } from '../texts';
import { chat } from './chat';
import { common } from './common';
import { errors } from './errors';
import { markdown } from './markdown';
import { shell } from './shell';

// Long, and needed by one page only: a chunk of its own.
const loadSettings = async (): Promise<SettingsTexts> => (await import('./settings')).settings;
const loadTools = async (): Promise<ToolTexts> => (await import('./tools')).tools;

/** The shape of every language. `loadSettings` rejects when its chunk can't be fetched. */
export const texts = { tag: 'en', common, shell, chat, errors, markdown, loadSettings, loadTools };
