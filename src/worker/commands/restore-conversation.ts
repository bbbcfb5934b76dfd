import { stampOf } from '../../generation/environment';
import { restoreConversation as restoreStored } from '../../storage/conversations';
import type { Command } from '../context';

/** Undoes a deletion. Throws `conversation-missing` when it was purged meanwhile. */
export const restoreConversation: Command<{ conversationId: string }, null> = async (args, { environment }) => {
  await restoreStored(environment.database, args.conversationId, stampOf(environment));
  return null;
};
