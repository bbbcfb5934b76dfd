import { cards } from './tools/cards';
import { controls } from './tools/controls';
import { decisions } from './tools/decisions';
import { names } from './tools/names';

/** What is said about tools; fetched when a conversation has something to do with them. */
export const tools = { names, cards, decisions, controls };
