import type { NodeArgs, SendResult } from '../../core/protocol';
import { continueAnswer as goOn } from '../../generation/entries';
import type { OwnerCommand } from '../context';

/** Goes on in the node where an answer stopped. */
export const continueAnswer: OwnerCommand<NodeArgs, SendResult> = async (args, context, session) => goOn(context, session, args.nodeId);
