import { endShownWait } from '../../generation/waits';
import type { OwnerCommand } from '../context';

/**
 * Stops the conversation's run and resolves when what it had is stored; an answer that waits for the user waits no longer. Nothing running is no
 * failure.
 */
export const stop: OwnerCommand<{ conversationId: string }, null> = async (_args, context, session) => {
  if (session.running === undefined) await endShownWait(context, session.conversationId);
  await session.stop();
  return null;
};
