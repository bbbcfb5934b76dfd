import { isLater } from '../core/clock';
import { byConversation, type LineOf, type MergeContext } from './backup-context';
import { readEntries } from './blocks';
import type { SideRow } from './db';

/** Side fields of what is here: the later clock wins. */
export async function mergeSides(context: MergeContext, lines: readonly LineOf<'sides'>[]): Promise<void> {
  const { database, tally } = context;
  for (const [conversationId, group] of byConversation(lines)) {
    const conversation = await database.conversations.get(conversationId);
    const statuses = new Map((await readEntries(database, conversationId)).map((entry) => [entry.id, entry.status]));
    for (const { line, row } of group) {
      const isOfNode = row.field === 'selection' && statuses.has(row.targetId);
      if (conversation === undefined || !(row.targetId === conversationId || isOfNode)) tally.damaged.push(line);
      else if (isOfNode && statuses.get(row.targetId) === 'deleted') tally.unchanged += 1;
      else await mergeSide(context, row);
    }
  }
}

async function mergeSide(context: MergeContext, row: SideRow): Promise<void> {
  const { database, tally, changes } = context;
  const present = await database.sides.get([row.targetId, row.field]);
  if (!isLater(row.clock, present?.clock)) {
    tally.unchanged += 1;
    return;
  }
  await database.sides.put(row);
  // The header's copy is only an index.
  if (row.field === 'pinned') await database.conversations.update(row.conversationId, { pinned: row.body.value === true ? 1 : 0 });
  changes.push({ entity: 'side', id: `${row.targetId}:${row.field}`, conversationId: row.conversationId, change: 'put' });
}
