import { stampOf } from '../../generation/environment';
import { markDeleted } from '../../storage/conversations';
import type { OwnerCommand } from '../context';

/** Stops what runs there and takes the conversation out of the list; its rows stay until an undo is no longer offered. */
export const deleteConversation: OwnerCommand<{ conversationId: string }, null> = async (args, { environment }, session) => {
  await session.stop();
  await markDeleted(environment.database, args.conversationId, stampOf(environment));
  return null;
};
