import { expect, test } from 'vitest';
import { readNode } from '../../src/storage/content';
import { createConversation, markDeleted, purgeDeleted, readConversation } from '../../src/storage/conversations';
import type { JackdawDatabase, RunRow } from '../../src/storage/db';
import { discardRun, foldRun, readRun, readRuns, saveRun, updateRun } from '../../src/storage/runs';
import { appendNodes, deleteNode } from '../../src/storage/tree';
import { freshDatabase, nodeId, stampAt, textStep, userNode } from './support';

const RUN: RunRow = {
  conversationId: 'c1',
  runId: 'r1',
  nodeId: nodeId(1),
  savedAt: 10,
  body: { step: 0, parts: [{ type: 'text', step: 0, text: 'half' }], model: { accountId: 'a', modelId: 'm' }, startedAt: 5 },
};

async function withRun(): Promise<JackdawDatabase> {
  const database = await freshDatabase();
  await createConversation(database, { id: 'c1', assistantId: 'munin' }, stampAt(1));
  await appendNodes(database, 'c1', [userNode(0, null), { ...userNode(1, 0), status: 'running', steps: [] }], stampAt(2));
  await saveRun(database, RUN);
  return database;
}

test('a run is kept apart and folded into its node in one change', async () => {
  const database = await withRun();
  expect(await readRun(database, 'c1')).toEqual(RUN);
  expect(await readRuns(database)).toEqual([RUN]);
  expect((await readNode(database, 'c1', nodeId(1)))?.steps).toEqual([]);
  const media = { type: 'media', step: 0, kind: 'image', blob: 'c'.repeat(64), mimeType: 'image/png', name: 'x', sizeBytes: 1 } as const;
  const step = { step: 0, parts: [{ type: 'text', step: 0, text: 'twelve chars' } as const, media] };
  await foldRun(database, { conversationId: 'c1', nodeId: nodeId(1), status: 'complete', step }, stampAt(7000));
  // 12 characters are 3 tokens, a picture 1,024, a message 4.
  expect(await readNode(database, 'c1', nodeId(1))).toMatchObject({ status: 'complete', tokens: 1031, revision: 1, steps: [step] });
  expect(await readRun(database, 'c1')).toBeUndefined();
  expect((await readConversation(database, 'c1'))?.updatedAt).toBe(7000);
  expect(await database.blobReferences.toArray()).toEqual([{ hash: 'c'.repeat(64), ownerId: nodeId(1), conversationId: 'c1' }]);
});

test('a second step keeps the first, in content and in the estimate', async () => {
  const database = await withRun();
  const fold = (text: string, step: number) =>
    foldRun(database, { conversationId: 'c1', nodeId: nodeId(1), status: 'complete', step: textStep(text, step) }, stampAt(20));
  await fold('four', 0);
  await fold('eight ch', 1);
  await fold('sixteen characte', 1);
  const node = await readNode(database, 'c1', nodeId(1));
  expect(node?.steps).toEqual([textStep('four', 0), textStep('sixteen characte', 1)]);
  expect(node).toMatchObject({ tokens: 1 + 4 + 4, revision: 3 });
});

test('a run whose node was deleted meanwhile ends without bringing it back', async () => {
  const database = await withRun();
  await deleteNode(database, 'c1', nodeId(1), stampAt(30));
  await foldRun(database, { conversationId: 'c1', nodeId: nodeId(1), status: 'complete', step: textStep('late') }, stampAt(31));
  expect(await database.runs.count()).toBe(0);
  expect(await database.content.where('nodeId').equals(nodeId(1)).count()).toBe(0);
  await saveRun(database, RUN);
  await markDeleted(database, 'c1', stampAt(40));
  await purgeDeleted(database, 50, stampAt(50));
  expect(await database.runs.count()).toBe(0);
  await saveRun(database, RUN);
  await discardRun(database, 'c1');
  expect(await database.runs.count()).toBe(0);
});

test('a run writes nothing once another one has taken its place', async () => {
  const database = await withRun();
  const later = { ...RUN, savedAt: 20 };
  expect(await updateRun(database, later)).toBe(true);
  expect(await readRun(database, 'c1')).toEqual(later);
  const other = { ...RUN, runId: 'r2' };
  await expect(saveRun(database, other)).rejects.toMatchObject({ code: 'owner-silent' });
  await discardRun(database, 'c1');
  expect(await updateRun(database, later)).toBe(false);
  await saveRun(database, other);
  expect(await updateRun(database, later)).toBe(false);
  const step = textStep('late');
  const fold = { conversationId: 'c1', runId: 'r1', nodeId: nodeId(1), status: 'complete', step } as const;
  expect(await foldRun(database, fold, stampAt(30))).toBe(false);
  expect(await readRun(database, 'c1')).toEqual(other);
  expect(await readNode(database, 'c1', nodeId(1))).toMatchObject({ status: 'running', steps: [] });
  expect(await foldRun(database, { ...fold, runId: 'r2' }, stampAt(31))).toBe(true);
  expect(await readNode(database, 'c1', nodeId(1))).toMatchObject({ status: 'complete', steps: [step] });
});
