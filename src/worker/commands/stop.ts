import type { OwnerCommand } from '../context';

/** Stops the conversation's run and resolves when what it had is stored. Nothing running is no failure. */
export const stop: OwnerCommand<{ conversationId: string }, null> = async (_args, _context, session) => {
  await session.stop();
  return null;
};
