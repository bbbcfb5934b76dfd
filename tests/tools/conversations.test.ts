import { beforeEach, describe, expect, test } from 'vitest';
import { createConversation, markDeleted, setTitle } from '../../src/storage/conversations';
import type { JackdawDatabase } from '../../src/storage/db';
import { appendNodes } from '../../src/storage/tree';
import { conversationSearch } from '../../src/tools/conversation-search';
import { readConversationTool } from '../../src/tools/read-conversation';
import { recentChats } from '../../src/tools/recent-chats';
import type { AnyTool, ToolOutcome } from '../../src/tools/tool';
import { freshDatabase, nodeId, pictureNode, stampAt, userNode } from '../storage/support';
import { FACTS, toolContext } from '../support/tool-context';

let database: JackdawDatabase;

beforeEach(async () => {
  database = await freshDatabase();
  await add('birds', 100, 'Birds', ['What is a jackdaw?', 'A crow.']);
  await add('present', 300, 'Present', ['jackdaw']);
  await add('gone', 500, 'Gone', ['jackdaw']);
  await markDeleted(database, 'gone', stampAt(600));
});

async function add(id: string, at: number, title: string, texts: readonly string[]): Promise<void> {
  await createConversation(database, { id, assistantId: FACTS.assistantId }, stampAt(at));
  await setTitle(database, id, title, 'user', stampAt(at));
  const nodes = texts.map((text, index) => userNode(at + index, index === 0 ? null : at + index - 1, text));
  await appendNodes(database, id, nodes, stampAt(at));
}

const call = (tool: AnyTool, args: unknown): Promise<ToolOutcome> => tool.call(args, toolContext(database));
const json = ({ text }: ToolOutcome): unknown => JSON.parse(text);

describe('recent_chats', () => {
  test('tells id, title and time, and gives the card its links', async () => {
    const outcome = await call(recentChats, {});
    expect(json(outcome)).toEqual([{ id: 'birds', title: 'Birds', last_message_at: '1970-01-01T00:00:01.101Z' }]);
    expect(outcome.data).toEqual({ kind: 'conversations', items: [{ id: 'birds', title: 'Birds' }] });
  });

  test('says that there is nothing, instead of an empty list', async () => {
    await markDeleted(database, 'birds', stampAt(700));
    expect((await call(recentChats, {})).text).toBe('There is no other conversation with this assistant.');
  });
});

describe('conversation_search', () => {
  test('gives what read_conversation needs, each conversation once to the card, and says that everything was searched', async () => {
    await add('crows', 800, 'Crows', ['jackdaw one', 'jackdaw two']);
    const outcome = await call(conversationSearch, { query: 'jackdaw' });
    expect(json(outcome)).toMatchObject({
      hits: [
        { conversation_id: 'crows', title: 'Crows', message_id: nodeId(801), snippet: '[jackdaw] two', date: '1970-01-01T00:00:01.801Z' },
        { conversation_id: 'crows', message_id: nodeId(800) },
        { conversation_id: 'birds', message_id: nodeId(100) },
      ],
      note: 'Everything was searched.',
    });
    expect(outcome.data).toMatchObject({ items: [{ id: 'crows' }, { id: 'birds' }] });
  });

  test('says that there may be more where it stopped', async () => {
    await add('crows', 800, 'Crows', ['jackdaw one', 'jackdaw two']);
    expect(json(await call(conversationSearch, { query: 'jackdaw', limit: 1 }))).toMatchObject({
      hits: [{ message_id: nodeId(801) }],
      note: expect.stringContaining('may be more'),
    });
  });
});

describe('read_conversation', () => {
  test('gives roles and texts, and where to go on', async () => {
    await appendNodes(database, 'birds', [pictureNode(102, 101, 'a'.repeat(64))], stampAt(700));
    expect(json(await call(readConversationTool, { conversation_id: 'birds', limit: 2 }))).toEqual({
      title: 'Birds',
      messages: [
        { role: 'user', date: '1970-01-01T00:00:01.100Z', text: 'What is a jackdaw?' },
        { role: 'assistant', date: '1970-01-01T00:00:01.101Z', text: 'A crow.' },
      ],
      total_messages: 3,
      next_offset: 2,
    });
    const rest = json(await call(readConversationTool, { conversation_id: 'birds', offset: 2 }));
    expect(rest).toMatchObject({ messages: [{ text: '', files: ['a.png'] }] });
    expect(rest).not.toHaveProperty('next_offset');
  });

  test.each([
    [4_000, ''],
    [4_001, '… [cut: 4001 characters in all]'],
  ])('cuts messages beyond 4,000 characters and says so: %i', async (length, ending) => {
    await add('long', 800, 'Long', ['x'.repeat(length)]);
    expect(json(await call(readConversationTool, { conversation_id: 'long' }))).toMatchObject({
      messages: [{ text: `${'x'.repeat(4_000)}${ending}` }],
    });
  });

  test('never cuts a character in two', async () => {
    await add('long', 800, 'Long', [`${'x'.repeat(3_999)}𠮷${'x'.repeat(10)}`]);
    expect((await call(readConversationTool, { conversation_id: 'long' })).text).toContain('x… [cut: 4011 characters in all]');
  });

  test('refuses the present conversation, a deleted and an unknown one', async () => {
    const own = await call(readConversationTool, { conversation_id: 'present' });
    expect(own).toMatchObject({ failure: 'refused', text: expect.stringContaining('you are in') });
    for (const id of ['gone', 'unknown']) {
      const outcome = await call(readConversationTool, { conversation_id: id });
      expect(outcome).toMatchObject({ failure: 'refused', text: expect.stringContaining(`“${id}”`) });
    }
  });
});
