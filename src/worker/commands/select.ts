import type { NodeArgs } from '../../core/protocol';
import { stampOf } from '../../generation/environment';
import { selectNode } from '../../storage/tree';
import type { Command } from '../context';

/** Shows another alternative. A side row with its own clock: any tab may write it, also while a run goes on. */
export const select: Command<NodeArgs, null> = async (args, { environment }) => {
  await selectNode(environment.database, args.conversationId, args.nodeId, stampOf(environment));
  return null;
};
