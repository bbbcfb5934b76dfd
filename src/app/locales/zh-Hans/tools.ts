import type { ToolTexts } from '../texts';
import { cards } from './tools/cards';
import { controls } from './tools/controls';
import { decisions } from './tools/decisions';
import { names } from './tools/names';

export const tools: ToolTexts = { names, cards, decisions, controls };
