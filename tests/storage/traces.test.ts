import { expect, test } from 'vitest';
import { createConversation, markDeleted, purgeDeleted } from '../../src/storage/conversations';
import { conversationTraces } from '../../src/storage/traces';
import { freshDatabase, stampAt } from './support';

test('an empty database is told from one whose conversations were all deleted', async () => {
  const database = await freshDatabase();
  expect(await conversationTraces(database)).toBe('none');
  await createConversation(database, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  expect(await conversationTraces(database)).toBe('kept');
  await markDeleted(database, 'c1', stampAt(2));
  expect(await conversationTraces(database)).toBe('kept');
  await purgeDeleted(database, 3, stampAt(3));
  expect(await conversationTraces(database)).toBe('deleted');
});
