import type { Commands } from '../../core/protocol';
import type { OwnerCommand } from '../context';
import { loadAnswering } from '../load-answering';

type Send = Commands['send'];

/**
 * A new conversation's id follows from its first message's: whoever repeats the command arrives at the same conversation. It is not the
 * same id, since one id never names two things; its first digit is the message's, half the range further.
 */
export function conversationOfSend(args: Send['args']): string {
  if (args.conversationId !== null) return args.conversationId;
  const digit = Number.parseInt(args.messageId.slice(0, 1), 16);
  return ((digit + 8) % 16).toString(16) + args.messageId.slice(1);
}

/** Stores a message and starts its answer. */
export const send: OwnerCommand<Send['args'], Send['result']> = async (args, context, session) =>
  (await loadAnswering()).send(context, session, {
    isNew: args.conversationId === null,
    messageId: args.messageId,
    draft: args.draft,
    answer: args.answer,
    model: args.model,
  });
