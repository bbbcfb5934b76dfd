import type { SettingsTexts, Texts } from '../texts';
import { chat } from './chat';
import { common } from './common';
import { errors } from './errors';
import { markdown } from './markdown';
import { shell } from './shell';

const loadSettings = async (): Promise<SettingsTexts> => (await import('./settings')).settings;

export const texts: Texts = { tag: 'zh-Hans', common, shell, chat, errors, markdown, loadSettings };
