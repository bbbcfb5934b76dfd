import { describe, expect, test } from 'vitest';
import { continueAnswer, send } from '../../src/generation/entries';
import { closeDeadRun } from '../../src/generation/recover';
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
  generate_image: { args: { prompt: 'A jackdaw on a chimney', size: 'square' } },
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

  test.runIf(tool.approval !== 'answer')('whose page is closed in the middle is not run again when the answer goes on', async () => {
    const { setup, conversationId, calls } = await runWith(tool, { stop: false, hangs: true });
    await setup.provider.asked(1);
    await settle();
    expect(calls()).toBe(1);
    // Nobody is left who could end it; the next tab that comes finds what is on the disk.
    const next = await testDesk({ database: setup.database, worker: 'next' });
    await closeDeadRun(next.desk, conversationId, () => Promise.resolve(true));
    const node = (await readBranch(setup.database, conversationId, { limit: 1 }))?.nodes.at(-1);
    expect(node).toMatchObject({ status: 'interrupted' });
    expect(node?.steps[0]?.parts.find(({ type }) => type === 'tool')).toMatchObject({ execution: 'interrupted' });
    const held = await next.desk.sessions.acquire(conversationId);
    if (held === null || node === undefined) throw new Error('the lock was free');
    next.provider.next().text('Done.').finish();
    await continueAnswer(next.desk, held.session, node.id);
    await next.heard.end(2);
    expect(calls()).toBe(1);
    expect(JSON.stringify(next.provider.requests[0]?.history)).toContain('may or may not');
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
async function runWith(tool: AnyTool, { stop, hangs = stop }: { readonly stop: boolean; readonly hangs?: boolean }) {
  let count = 0;
  const hang = (): Promise<never> => {
    count += 1;
    return new Promise(() => undefined);
  };
  const hanging: AnyTool = hangs ? { ...tool, approval: 'never', call: hang } : { ...tool, approval: 'never' };
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
  if (hangs && !stop) return { setup, conversationId, calls: () => count, end: undefined, part: undefined };
  const end = await setup.heard.end();
  const node = (await readBranch(setup.database, conversationId, { limit: 1 }))?.nodes.at(-1);
  return { setup, conversationId, calls: () => count, end, part: node?.steps[0]?.parts.find((part) => part.type === 'tool') };
}
