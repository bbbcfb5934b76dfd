import { expect, test } from 'vitest';
import type { StructureEntry } from '../../src/core/tree';
import { readBranch, readNode, readPath } from '../../src/storage/content';
import { createConversation, markDeleted, readConversation } from '../../src/storage/conversations';
import type { JackdawDatabase } from '../../src/storage/db';
import { appendNodes, deleteNode, readSelection, readTree, selectNode, updateEntry } from '../../src/storage/tree';
import { codeOf, freshDatabase, idsOf, nodeId, pictureNode, seededNumbers, stampAt, userNode } from './support';

const CONVERSATION = 'c1';
let time = 1_000_000;
const next = () => stampAt((time += 1));

async function withConversation(): Promise<JackdawDatabase> {
  const database = await freshDatabase();
  await createConversation(database, { id: CONVERSATION, assistantId: 'munin' }, stampAt(1));
  return database;
}

async function visible(database: JackdawDatabase): Promise<number[]> {
  const tree = await readTree(database, CONVERSATION);
  return tree.selectedPath(await readSelection(database, CONVERSATION)).map((entry) => Number.parseInt(entry.id.slice(-12), 16));
}

test('a tree of many blocks comes back as it was written, also after deletes in the middle', async () => {
  for (const seed of [1, 2, 3]) {
    const number = seededNumbers(seed);
    const database = await withConversation();
    const model: StructureEntry[] = [];
    const size = 600 + number(160);
    while (model.length < size) {
      const nodes = Array.from({ length: Math.min(1 + number(90), size - model.length) }, (_value, offset) => {
        const place = model.length + offset;
        // Mostly a chain, with a branch now and then; never below a deleted node.
        const wanted = place === 0 ? null : number(12) === 0 ? number(place) : place - 1;
        const parent = wanted !== null && model[wanted]?.status === 'deleted' ? null : wanted;
        return userNode(place, parent);
      });
      await appendNodes(database, CONVERSATION, nodes, next());
      for (const node of nodes) {
        const parent = node.parentId === null ? -1 : Number.parseInt(node.parentId.slice(-12), 16);
        const { id, role, status, tokens, createdAt } = node;
        model.push({ ordinal: model.length, id, parent, role, status, tokens, createdAt, revision: 0 });
      }
      const victim = model[number(model.length)];
      if (victim === undefined || victim.status === 'deleted') continue;
      await deleteNode(database, CONVERSATION, victim.id, next());
      model[victim.ordinal] = { ...victim, status: 'deleted', tokens: 0, revision: 1 };
    }
    const stored = await readTree(database, CONVERSATION);
    expect(stored.entries.length, `seed ${seed}`).toBeGreaterThan(512);
    expect(stored.entries, `seed ${seed}`).toEqual(model);
    const blocks = await database.structure.toArray();
    expect(blocks.map((block) => block.count)).toEqual([256, 256, size - 512]);
  }
});

test('appended nodes are shown; the choice is written only where there is one', async () => {
  const database = await withConversation();
  await appendNodes(database, CONVERSATION, [userNode(0, null), userNode(1, 0), userNode(2, 1)], next());
  expect(await database.sides.count()).toBe(0);
  await appendNodes(database, CONVERSATION, [userNode(3, 0)], next());
  expect(await visible(database)).toEqual([0, 3]);
  expect([...(await readSelection(database, CONVERSATION))]).toEqual([[nodeId(0), nodeId(3)]]);
  // Below a branch that was not shown: its ancestors become chosen as well.
  await appendNodes(database, CONVERSATION, [userNode(4, 2)], next());
  expect(await visible(database)).toEqual([0, 1, 2, 4]);
  await appendNodes(database, CONVERSATION, [userNode(5, null)], next());
  expect(await visible(database)).toEqual([5]);
  await selectNode(database, CONVERSATION, nodeId(3), next());
  expect(await visible(database)).toEqual([0, 3]);
  expect((await readSelection(database, CONVERSATION)).get('')).toBe(nodeId(0));
});

test('appending twice adds once; unknown parents and conversations are refused and leave nothing', async () => {
  const database = await withConversation();
  await appendNodes(database, CONVERSATION, [userNode(0, null), userNode(1, 0)], next());
  const outbox = await database.outbox.count();
  await appendNodes(database, CONVERSATION, [userNode(0, null), userNode(1, 0)], next());
  expect((await readTree(database, CONVERSATION)).entries.length).toBe(2);
  expect(await database.outbox.count()).toBe(outbox);
  expect(await codeOf(appendNodes(database, CONVERSATION, [userNode(2, 1), userNode(4, 3)], next()))).toBe('node-missing');
  expect((await readTree(database, CONVERSATION)).entries.length).toBe(2);
  expect(await database.content.count()).toBe(2);
  expect(await codeOf(appendNodes(database, 'other', [userNode(9, null)], next()))).toBe('conversation-missing');
  await deleteNode(database, CONVERSATION, nodeId(1), next());
  expect(await codeOf(appendNodes(database, CONVERSATION, [userNode(5, 1)], next()))).toBe('node-missing');
  await markDeleted(database, CONVERSATION, next());
  expect(await codeOf(appendNodes(database, CONVERSATION, [userNode(6, 0)], next()))).toBe('conversation-missing');
});

test('appending moves the conversation in time and says so in the outbox', async () => {
  const database = await withConversation();
  await appendNodes(database, CONVERSATION, [userNode(0, null), { ...userNode(1, 0), createdAt: 5000 }], next());
  expect((await readConversation(database, CONVERSATION))?.updatedAt).toBe(5000);
  const changes = (await database.outbox.toArray()).map((row) => `${row.entity} ${row.id} ${row.change}`);
  expect(changes).toEqual([`conversation ${CONVERSATION} put`, `node ${nodeId(0)} put`, `node ${nodeId(1)} put`]);
});

test('a change of an entry raises its revision, in an old block as well', async () => {
  const database = await withConversation();
  await appendNodes(
    database,
    CONVERSATION,
    Array.from({ length: 300 }, (_value, place) => userNode(place, place === 0 ? null : place - 1)),
    next(),
  );
  await updateEntry(database, CONVERSATION, nodeId(7), { status: 'interrupted', tokens: 99 }, next());
  await updateEntry(database, CONVERSATION, nodeId(299), { status: 'failed' }, next());
  const { entries } = await readTree(database, CONVERSATION);
  expect(entries[7]).toMatchObject({ status: 'interrupted', tokens: 99, revision: 1, parent: 6 });
  expect(entries[299]).toMatchObject({ status: 'failed', tokens: 49, revision: 1 });
  expect(await codeOf(updateEntry(database, CONVERSATION, nodeId(999), { tokens: 1 }, next()))).toBe('node-missing');
});

test('deleting in the middle keeps what follows visible and removes every row of the node', async () => {
  const database = await withConversation();
  await appendNodes(database, CONVERSATION, [userNode(0, null), pictureNode(1, 0, 'a'.repeat(64)), userNode(2, 1), userNode(3, 1)], next());
  await selectNode(database, CONVERSATION, nodeId(2), next());
  await deleteNode(database, CONVERSATION, nodeId(1), next());
  expect(await visible(database)).toEqual([0, 2]);
  expect(await readNode(database, CONVERSATION, nodeId(1))).toBeUndefined();
  expect(await database.content.where('nodeId').equals(nodeId(1)).count()).toBe(0);
  expect(await database.sides.where('targetId').equals(nodeId(1)).count()).toBe(0);
  expect(await database.blobReferences.count()).toBe(0);
  expect(await database.tombstones.get(nodeId(1))).toMatchObject({ kind: 'node', parentId: nodeId(0), conversationId: CONVERSATION });
  expect((await database.outbox.toArray()).at(-1)).toMatchObject({ entity: 'node', id: nodeId(1), change: 'delete' });
  expect((await readNode(database, CONVERSATION, nodeId(2)))?.parentId).toBe(nodeId(0));
  await deleteNode(database, CONVERSATION, nodeId(1), next());
  expect(await codeOf(deleteNode(database, CONVERSATION, nodeId(77), next()))).toBe('node-missing');
});

test('deleting the shown alternative shows its neighbour; deleting a hidden one changes nothing that is seen', async () => {
  const database = await withConversation();
  await appendNodes(database, CONVERSATION, [userNode(0, null), userNode(1, 0), userNode(2, 0), userNode(3, 0), userNode(4, 1)], next());
  await selectNode(database, CONVERSATION, nodeId(3), next());
  await deleteNode(database, CONVERSATION, nodeId(3), next());
  expect(await visible(database)).toEqual([0, 2]);
  // The hidden alternative's child is younger than what is shown and must not jump in front of it.
  await deleteNode(database, CONVERSATION, nodeId(1), next());
  expect(await visible(database)).toEqual([0, 2]);
  await deleteNode(database, CONVERSATION, nodeId(2), next());
  expect(await visible(database)).toEqual([0, 4]);
  await deleteNode(database, CONVERSATION, nodeId(0), next());
  await deleteNode(database, CONVERSATION, nodeId(4), next());
  expect(await visible(database)).toEqual([]);
  expect(await database.sides.count()).toBe(0);
});

test('a branch is read from its end, with siblings, and its structure whole', async () => {
  const database = await withConversation();
  const chain = Array.from({ length: 100 }, (_value, place) => userNode(place, place === 0 ? null : place - 1));
  await appendNodes(database, CONVERSATION, [...chain, userNode(100, 98), userNode(101, 98)], next());
  await selectNode(database, CONVERSATION, nodeId(100), next());
  const branch = await readBranch(database, CONVERSATION, { limit: 3 });
  expect(branch?.path.length).toBe(100);
  expect(idsOf(branch?.nodes ?? [])).toEqual([97, 98, 100].map(nodeId));
  expect(branch?.nodes[2]).toMatchObject({
    parentId: nodeId(98),
    siblings: [99, 100, 101].map(nodeId),
    steps: [{ parts: [{ text: 'text 100' }] }],
  });
  expect((await readBranch(database, CONVERSATION, { limit: 500 }))?.nodes.length).toBe(100);
  const chosen = await readBranch(database, CONVERSATION, { choose: (path) => path.slice(5, 7) });
  expect(idsOf(chosen?.nodes ?? [])).toEqual([5, 6].map(nodeId));
  expect(await readBranch(database, 'other', { limit: 3 })).toBeUndefined();
  expect(idsOf(await readPath(database, CONVERSATION, nodeId(2)))).toEqual([0, 1, 2].map(nodeId));
  expect(await codeOf(readPath(database, CONVERSATION, nodeId(999)))).toBe('node-missing');
});

test('steps of a node come in their order', async () => {
  const database = await withConversation();
  const steps = [10, 2, 0, 1].map((step) => ({ step, parts: [{ type: 'text', step, text: `step ${step}` } as const] }));
  await appendNodes(database, CONVERSATION, [{ ...userNode(0, null), steps }], next());
  expect((await readNode(database, CONVERSATION, nodeId(0)))?.steps.map((step) => step.step)).toEqual([0, 1, 2, 10]);
});

test('an id that could not be packed is refused loudly', async () => {
  const database = await withConversation();
  expect(await codeOf(appendNodes(database, CONVERSATION, [{ ...userNode(0, null), id: 'first' }], next()))).toBe('internal');
  expect(await readNode(database, CONVERSATION, 'first')).toBeUndefined();
});
