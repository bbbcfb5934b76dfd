import { describe, expect, test } from 'vitest';
import { readConversationPage, recentConversations } from '../../src/storage/conversation-lookup';
import { searchConversations } from '../../src/storage/conversation-search';
import { createConversation, markDeleted, setPinned, setTitle } from '../../src/storage/conversations';
import type { JackdawDatabase } from '../../src/storage/db';
import { appendNodes, deleteNode, selectNode } from '../../src/storage/tree';
import { freshDatabase, nodeId, pictureNode, stampAt, userNode } from './support';

const SCOPE = { assistantId: 'munin', exceptId: 'here' };

interface Given {
  readonly at: number;
  readonly title?: string;
  readonly texts: readonly string[];
  readonly assistantId?: string;
}

/** A conversation of one branch; its nodes are numbered from `at` on, and `at` orders conversations. */
async function add(database: JackdawDatabase, id: string, { at, title = '', texts, assistantId = 'munin' }: Given): Promise<void> {
  await createConversation(database, { id, assistantId }, stampAt(at));
  if (title !== '') await setTitle(database, id, title, 'user', stampAt(at));
  const nodes = texts.map((text, index) => userNode(at + index, index === 0 ? null : at + index - 1, text));
  await appendNodes(database, id, nodes, stampAt(at));
}

async function library(): Promise<JackdawDatabase> {
  const database = await freshDatabase();
  await add(database, 'old', {
    at: 100,
    title: 'Birds of Europe',
    texts: ['What is a JACKDAW?', 'A small crow. Jackdaws nest in towers.'],
  });
  await add(database, 'new', { at: 300, title: '寒鸦的习性', texts: ['寒鸦住在哪里？', '寒鸦常住在塔楼里。'] });
  await add(database, 'other', { at: 500, title: 'Jackdaws', texts: ['jackdaw'], assistantId: 'hugin' });
  await add(database, 'gone', { at: 700, title: 'Jackdaws', texts: ['jackdaw'] });
  await markDeleted(database, 'gone', stampAt(900));
  await add(database, 'here', { at: 1100, title: 'Jackdaws', texts: ['jackdaw'] });
  return database;
}

function search(database: JackdawDatabase, query: string, limit = 20, signal = new AbortController().signal) {
  return searchConversations(database, SCOPE, { query, limit, signal });
}

describe('the list', () => {
  test('has this assistant’s living conversations without the one that asks: pinned first, then the latest', async () => {
    const database = await library();
    await add(database, 'newest', { at: 1500, texts: ['x'] });
    await setPinned(database, 'old', true, stampAt(2000));
    const found = await recentConversations(database, SCOPE, 10);
    expect(found.map(({ id, title }) => [id, title])).toEqual([
      ['old', 'Birds of Europe'],
      ['newest', ''],
      ['new', '寒鸦的习性'],
    ]);
    expect(found[1]?.updatedAt).toBe(2500);
    expect((await recentConversations(database, SCOPE, 1)).map(({ id }) => id)).toEqual(['old']);
  });
});

describe('a search', () => {
  test('finds words of messages in any case and inside of others, the latest message first', async () => {
    const { hits, end } = await search(await library(), 'jackdaw');
    expect(hits).toEqual([
      {
        conversationId: 'old',
        title: 'Birds of Europe',
        messageId: nodeId(101),
        at: 1101,
        snippet: 'A small crow. [Jackdaw]s nest in towers.',
      },
      { conversationId: 'old', title: 'Birds of Europe', messageId: nodeId(100), at: 1100, snippet: 'What is a [JACKDAW]?' },
    ]);
    expect(end).toBe('all');
  });

  test('finds Chinese without spaces, titles, and half and full width alike', async () => {
    const database = await library();
    expect((await search(database, '塔楼')).hits.map(({ snippet }) => snippet)).toEqual(['寒鸦常住在[塔楼]里。']);
    expect((await search(database, '习性')).hits).toMatchObject([{ conversationId: 'new', messageId: null, snippet: '寒鸦的[习性]' }]);
    expect((await search(database, 'ＥＵＲＯＰＥ birds')).hits).toMatchObject([{ conversationId: 'old', messageId: null, at: 1101 }]);
  });

  test('wants every word in the same place, and none of nothing', async () => {
    const database = await library();
    expect((await search(database, 'small towers')).hits).toHaveLength(1);
    expect((await search(database, 'jackdaw europe')).hits).toEqual([]);
    expect(await search(database, ' ')).toEqual({ hits: [], end: 'all' });
  });

  test('looks into every branch, and not at what was deleted', async () => {
    const database = await freshDatabase();
    await add(database, 'tree', { at: 100, texts: ['question', 'needle one'] });
    await appendNodes(database, 'tree', [userNode(150, 100, 'needle two'), userNode(151, 150, 'needle three')], stampAt(200));
    await selectNode(database, 'tree', nodeId(101), stampAt(201));
    await deleteNode(database, 'tree', nodeId(151), stampAt(202));
    expect((await search(database, 'needle')).hits.map(({ messageId }) => messageId)).toEqual([nodeId(150), nodeId(101)]);
  });

  test('goes by the latest conversation, pinned or not, and stops at the wanted number', async () => {
    const database = await freshDatabase();
    for (const at of [100, 200, 300]) await add(database, `c${String(at)}`, { at, texts: ['needle', 'needle'] });
    await setPinned(database, 'c100', true, stampAt(1));
    const { hits, end } = await search(database, 'needle', 3);
    expect(hits.map(({ conversationId }) => conversationId)).toEqual(['c300', 'c300', 'c200']);
    expect(end).toBe('hits');
  });

  test('is over after 5,000 rows of messages, says so, and still looks at titles', { timeout: 60_000 }, async () => {
    const database = await freshDatabase();
    await add(database, 'old', { at: 10, title: 'The needle', texts: ['needle'] });
    await add(database, 'long', { at: 1_000, texts: Array.from({ length: 5_000 }, (_, index) => `hay ${String(index)}`) });
    const { hits, end } = await search(database, 'needle');
    expect(hits).toMatchObject([{ conversationId: 'old', messageId: null }]);
    expect(end).toBe('rows');
    expect((await search(database, 'hay 4999')).hits).toHaveLength(1);
  });

  test('reads nothing more once it is stopped between two pages', async () => {
    const database = await freshDatabase();
    await add(database, 'long', { at: 1_000, texts: Array.from({ length: 350 }, () => 'hay') });
    const controller = new AbortController();
    let rows = 0;
    database.content.hook('reading', (row) => {
      rows += 1;
      if (rows === 120) controller.abort();
      return row;
    });
    await expect(search(database, 'needle', 20, controller.signal)).rejects.toHaveProperty('name', 'AbortError');
    expect(rows).toBe(200);
  });
});

describe('reading', () => {
  const page = (database: JackdawDatabase, id: string, offset = 0, limit = 20) =>
    readConversationPage(database, SCOPE, { id, offset, limit });

  test('gives the messages of the selected branch from an offset on, and how many there are', async () => {
    const database = await library();
    await appendNodes(database, 'old', [userNode(102, 100, 'Another answer')], stampAt(150));
    expect(await page(database, 'old')).toMatchObject({
      title: 'Birds of Europe',
      count: 2,
      messages: [
        { role: 'user', text: 'What is a JACKDAW?', createdAt: 1100 },
        { id: nodeId(102), text: 'Another answer', files: [] },
      ],
    });
    expect((await page(database, 'old', 1, 1))?.messages.map(({ id }) => id)).toEqual([nodeId(102)]);
    expect(await page(database, 'old', 9)).toMatchObject({ count: 2, messages: [] });
  });

  test('names the files of a message', async () => {
    const database = await library();
    await appendNodes(database, 'old', [pictureNode(104, 101, 'a'.repeat(64))], stampAt(150));
    expect((await page(database, 'old', 2))?.messages).toMatchObject([{ text: '', files: ['a.png'] }]);
  });

  test.each(['other', 'gone', 'here', 'unknown'])('has nothing of “%s”', async (id) => {
    expect(await page(await library(), id)).toBeUndefined();
  });
});
