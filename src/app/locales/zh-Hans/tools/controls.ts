import type { ToolTexts } from '../../texts';

export const controls: ToolTexts['controls'] = {};
