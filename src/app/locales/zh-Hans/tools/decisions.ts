import type { ToolTexts } from '../../texts';

export const decisions: ToolTexts['decisions'] = {};
