import type { NodeArgs, SendResult } from '../../core/protocol';
import type { OwnerCommand } from '../context';
import { loadAnswering } from '../load-answering';

/** Goes on in the node where an answer stopped. */
export const continueAnswer: OwnerCommand<NodeArgs, SendResult> = async (args, context, session) =>
  (await loadAnswering()).continueAnswer(context, session, args.nodeId);
