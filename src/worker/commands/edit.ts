import type { Commands } from '../../core/protocol';
import { edit as editMessage } from '../../generation/entries';
import type { OwnerCommand } from '../context';

type Edit = Commands['edit'];

/** The same place with other words, as a branch. */
export const edit: OwnerCommand<Edit['args'], Edit['result']> = async (args, context, session) =>
  editMessage(context, session, args.nodeId, args);
