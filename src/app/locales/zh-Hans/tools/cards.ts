import type { ToolTexts } from '../../texts';

export const cards: ToolTexts['cards'] = {};
