import { chat } from './chat';
import { common } from './common';
import { errors } from './errors';
import { markdown } from './markdown';
import { settings } from './settings';
import { shell } from './shell';

/** The shape of every language. */
export const texts = { tag: 'en', common, shell, chat, settings, errors, markdown };
