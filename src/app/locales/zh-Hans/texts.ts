import type { SettingsTexts, Texts, ToolTexts } from '../texts';
import { chat } from './chat';
import { common } from './common';
import { errors } from './errors';
import { markdown } from './markdown';
import { shell } from './shell';

const loadSettings = async (): Promise<SettingsTexts> => (await import('./settings')).settings;
const loadTools = async (): Promise<ToolTexts> => (await import('./tools')).tools;

export const texts: Texts = { tag: 'zh-Hans', common, shell, chat, errors, markdown, loadSettings, loadTools };
