import type { SystemBlock } from './block';

/** Keeps a model without tools from pretending that it has some. */
export const capabilities: SystemBlock = {
  id: 'capabilities',
  text: (turn) =>
    turn.profile.toolTransport === 'none'
      ? 'In this chat you cannot call tools, search the web, run code or open files and links. Do not claim that you did; work from the conversation itself.'
      : null,
};
