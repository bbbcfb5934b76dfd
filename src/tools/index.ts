import { askUser } from './ask-user';
import type { AnyTool } from './tool';

/** Every tool of the app, in the order in which models read them. */
export const TOOLS: readonly AnyTool[] = [askUser];
