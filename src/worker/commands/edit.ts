import type { Commands } from '../../core/protocol';
import type { OwnerCommand, WorkerContext } from '../context';
import { loadAnswering } from '../load-answering';

type Edit = Commands['edit'];

/** The same command, with the name of the message that it makes. */
export function withMessageId(args: Edit['args'], { environment }: WorkerContext): Edit['args'] & { messageId: string } {
  return { ...args, messageId: args.messageId ?? environment.newId() };
}

/** The same place with other words, as a branch. */
export const edit: OwnerCommand<Edit['args'], Edit['result']> = async (args, context, session) =>
  (await loadAnswering()).edit(context, session, args.nodeId, withMessageId(args, context));
