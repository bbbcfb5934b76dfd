import type { Commands } from '../../core/protocol';
import { send as sendMessage } from '../../generation/entries';
import type { OwnerCommand } from '../context';

type Send = Commands['send'];

/** A new conversation's id is the message's: whoever repeats the command arrives at the same conversation. */
export function conversationOfSend(args: Send['args']): string {
  return args.conversationId ?? args.messageId;
}

/** Stores a message and starts its answer. */
export const send: OwnerCommand<Send['args'], Send['result']> = async (args, context, session) =>
  sendMessage(context, session, {
    isNew: args.conversationId === null,
    messageId: args.messageId,
    draft: args.draft,
    answer: args.answer,
    model: args.model,
  });
