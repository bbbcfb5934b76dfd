import { askUser } from './ask-user';
import { calculate } from './calculate';
import { conversationSearch } from './conversation-search';
import { readConversationTool } from './read-conversation';
import { recentChats } from './recent-chats';
import { convertUnits } from './convert-units';
import { dateTime } from './date-time';
import { generateImage } from './generate-image';
import { readToolOutput } from './read-tool-output';
import { sessionCapabilities } from './session-capabilities';
import { showImage } from './show-image';
import { taskCreate, taskList, taskUpdate } from './tasks';
import type { AnyTool } from './tool';

/** Every tool of the app, in the order in which models read them: local ones, earlier conversations, stored outputs, and what all of it amounts to. */
export const TOOLS: readonly AnyTool[] = [
  calculate,
  convertUnits,
  dateTime,
  askUser,
  taskCreate,
  taskUpdate,
  taskList,
  showImage,
  generateImage,
  recentChats,
  conversationSearch,
  readConversationTool,
  readToolOutput,
  sessionCapabilities,
];
