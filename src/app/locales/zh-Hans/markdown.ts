import type { Texts } from '../texts';

export const markdown: Texts['markdown'] = {};
