import type { NodeArgs } from '../../core/protocol';
import { stampOf } from '../../generation/environment';
import { deleteNode as deleteStoredNode, readTree } from '../../storage/tree';
import type { OwnerCommand } from '../context';

/** Deletes one message; a run that stands on it is stopped and stored first. */
export const deleteNode: OwnerCommand<NodeArgs, null> = async (args, { environment }, session) => {
  const running = session.running?.publisher.snapshot().nodeId;
  if (running !== undefined) {
    const tree = await readTree(environment.database, args.conversationId);
    const path = tree.pathTo(tree.find(running)?.ordinal ?? -1);
    if (path.some((entry) => entry.id === args.nodeId)) await session.stop();
  }
  await deleteStoredNode(environment.database, args.conversationId, args.nodeId, stampOf(environment));
  return null;
};
