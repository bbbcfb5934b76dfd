import { describe, expect, test } from 'vitest';
import { send } from '../../src/generation/entries';
import { readBranch } from '../../src/storage/content';
import { writeSetting } from '../../src/storage/settings';
import { TOOLS } from '../../src/tools';
import type { AnyTool, ToolContext } from '../../src/tools/tool';
import { freshDatabase, settle, testDesk, TOOL_MODEL } from '../support/generation';
import { toolContext } from '../support/tool-context';
import { toolContract, type ToolCase } from './tool';

/** Arguments that fit, one for each tool: a tool without an entry fails. */
const CASES: Readonly<Record<string, ToolCase>> = {
  calculate: { args: { expression: '2 + 2' } },
  convert_units: { args: { value: '3/4', from: 'cup', to: 'ml' } },
  get_date_time: { args: { time_zone: 'Asia/Tokyo' } },
  ask_user: { args: { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] } },
  task_create: { args: { subject: 'Read the files', description: 'All of them', activeForm: 'Reading' } },
  task_update: { args: { taskId: '1', status: 'completed' } },
  task_list: { args: {} },
  show_image: { args: { name: 'cat.png' } },
  recent_chats: { args: { limit: 3 } },
  conversation_search: { args: { query: 'jackdaw', limit: 3 } },
  read_conversation: { args: { conversation_id: 'c', offset: 0, limit: 3 } },
  read_tool_output: { args: { path: '/tool_outputs/x.txt', offset: 0, limit: 10 } },
  get_session_capabilities: { args: {} },
};

const contextWith = async (signal: AbortSignal): Promise<ToolContext> => toolContext(await freshDatabase(), { signal });

test('every tool has its case, its name once, and its place in the order', () => {
  const names = TOOLS.map(({ name }) => name);
  expect(names.filter((name) => !(name in CASES))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.at(-1)).toBe('get_session_capabilities');
});

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  toolContract(tool, CASES[name] ?? { args: {} }, contextWith);

  test.runIf(tool.approval !== 'answer')('is cancelled in the middle, with nothing left that runs', async () => {
    const { end, part } = await runWith(tool, { stop: true });
    expect(end?.status).toBe('interrupted');
    expect(part).toMatchObject({ execution: 'interrupted' });
  });

  test.runIf(tool.approval !== 'answer').each([32_768, 32_769])('keeps an output of %i characters', async (length) => {
    const long: AnyTool = { ...tool, call: () => Promise.resolve({ text: 'x'.repeat(length) }) };
    const { part } = await runWith(long, { stop: false });
    expect(part).toMatchObject({ execution: 'done' });
    expect(part?.type === 'tool' && part.result?.stored !== undefined).toBe(length > 32_768);
    if (part?.type === 'tool') expect(part.result?.text.length).toBeLessThanOrEqual(32_768);
  });
});

/** A turn whose model calls the tool once. With `stop` the tool never ends by itself. */
async function runWith(tool: AnyTool, { stop }: { readonly stop: boolean }) {
  const hanging: AnyTool = stop ? { ...tool, approval: 'never', call: () => new Promise(() => undefined) } : { ...tool, approval: 'never' };
  const setup = await testDesk({ tools: [{ ...hanging, available: () => true }] });
  await writeSetting(setup.database, 'defaultModel', TOOL_MODEL, { at: 5, device: 'device' });
  const conversationId = 'aaaaaaaa-0000-4000-8000-000000000001';
  const held = await setup.desk.sessions.acquire(conversationId);
  if (held === null) throw new Error('the lock was free');
  setup.provider.next().call('call', tool.name, CASES[tool.name]?.args).finishCalls();
  setup.provider.next().text('Done.').finish();
  const draft = { text: 'Go', attachments: [] };
  await send(setup.desk, held.session, {
    isNew: true,
    messageId: 'bbbbbbbb-0000-4000-8000-000000000001',
    draft,
    answer: true,
    model: null,
  });
  if (stop) {
    await setup.provider.asked(1);
    await settle();
    await held.session.stop();
  }
  const end = await setup.heard.end();
  const node = (await readBranch(setup.database, conversationId, { limit: 1 }))?.nodes.at(-1);
  return { end, part: node?.steps[0]?.parts.find((part) => part.type === 'tool') };
}
