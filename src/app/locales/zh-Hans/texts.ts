import type { Texts } from '../texts';
import { chat } from './chat';
import { common } from './common';
import { errors } from './errors';
import { markdown } from './markdown';
import { settings } from './settings';
import { shell } from './shell';

export const texts: Texts = { tag: 'zh-Hans', common, shell, chat, settings, errors, markdown };
