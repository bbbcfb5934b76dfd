import { describe, expect, test } from 'vitest';
import type { Part, ToolPart } from '../../src/core/node';
import { saveBlob } from '../../src/storage/blobs';
import { dateTime } from '../../src/tools/date-time';
import { readToolOutput } from '../../src/tools/read-tool-output';
import { sessionCapabilities } from '../../src/tools/session-capabilities';
import { showImage } from '../../src/tools/show-image';
import { taskCreate, taskList, taskUpdate } from '../../src/tools/tasks';
import type { AnyTool, ToolOutcome } from '../../src/tools/tool';
import { freshDatabase } from '../support/generation';
import { toolContext } from '../support/tool-context';

const json = (outcome: ToolOutcome): unknown => JSON.parse(outcome.text);

function done(name: string, outcome: ToolOutcome): ToolPart {
  const { text, data } = outcome;
  return {
    type: 'tool',
    step: 0,
    callId: name,
    wireId: name,
    name,
    argumentsText: '{}',
    approval: 'auto',
    execution: outcome.failure === undefined ? 'done' : 'failed',
    result: { text, media: [], ...(data === undefined ? {} : { data }) },
  };
}

describe('the task list', () => {
  /** Calls one after the other, each with what the ones before it left in the answer. */
  async function play(...calls: readonly (readonly [AnyTool, unknown])[]): Promise<readonly ToolOutcome[]> {
    const database = await freshDatabase();
    const answer: Part[] = [];
    const outcomes: ToolOutcome[] = [];
    for (const [tool, args] of calls) {
      const outcome = await tool.call(args, toolContext(database, { answer }));
      outcomes.push(outcome);
      answer.push(done(tool.name, outcome));
    }
    return outcomes;
  }

  test('gives ids that are never used twice and counts its changes', async () => {
    const outcomes = await play(
      [taskCreate, { subject: 'One' }],
      [taskCreate, { subject: 'Two' }],
      [taskUpdate, { taskId: '1', status: 'in_progress' }],
      [taskList, {}],
    );
    expect(outcomes[3]?.data).toMatchObject({
      revision: 3,
      tasks: [
        { id: '1', status: 'in_progress' },
        { id: '2', status: 'pending' },
      ],
    });
    expect(outcomes[3]?.text).toContain('1. [in_progress] One');
  });

  test.each([
    ['without a list', [[taskUpdate, { taskId: '1', status: 'completed' }]], 'no task list'],
    [
      'of a task that is not there',
      [
        [taskCreate, { subject: 'x' }],
        [taskUpdate, { taskId: '9', status: 'completed' }],
      ],
      'no task 9',
    ],
    [
      'of nothing',
      [
        [taskCreate, { subject: 'x' }],
        [taskUpdate, { taskId: '1' }],
      ],
      'Nothing to change',
    ],
    [
      'to a second one in progress',
      [
        [taskCreate, { subject: 'x' }],
        [taskCreate, { subject: 'y' }],
        [taskUpdate, { taskId: '1', status: 'in_progress' }],
        [taskUpdate, { taskId: '2', status: 'in_progress' }],
      ],
      'Task 1 is in progress',
    ],
  ] as const)('refuses a change %s', async (_what, calls, words) => {
    const outcome = (await play(...calls)).at(-1);
    expect(outcome?.failure).toBe('refused');
    expect(outcome?.text).toContain(words);
  });
});

describe('a stored output', () => {
  async function stored(text: string) {
    const database = await freshDatabase();
    const blob = await saveBlob(database, new TextEncoder().encode(text).buffer, 'text/plain', 1);
    const part = done('big', { text: 'its beginning' });
    const kept: Part = {
      ...part,
      result: { text: '', media: [], stored: { blob, path: '/tool_outputs/big.txt', characters: text.length } },
    };
    return toolContext(database, { answer: [kept] });
  }

  test('is read on from an offset, and says where it goes on and where it ends', async () => {
    const context = await stored(`${'a'.repeat(100)}${'b'.repeat(100)}`);
    const first = await readToolOutput.call({ path: '/tool_outputs/big.txt', offset: 90, limit: 20 }, context);
    expect(first.text).toContain('aaaaaaaaaabbbbbbbbbb');
    expect(first.text).toContain('offset 110');
    expect((await readToolOutput.call({ path: '/tool_outputs/big.txt', offset: 150 }, context)).text).toContain('That is the end');
  });

  test('is searched line by line', async () => {
    const context = await stored('one\nTwo needles\nthree\nneedle');
    const outcome = await readToolOutput.call({ path: '/tool_outputs/big.txt', query: 'needle' }, context);
    expect(outcome.text).toContain('2: Two needles');
    expect(outcome.text).toContain('4: needle');
  });

  test('that is not there is refused with the names of those that are', async () => {
    const outcome = await readToolOutput.call({ path: '/etc/passwd' }, await stored('x'));
    expect(outcome).toMatchObject({ failure: 'refused' });
    expect(outcome.text).toContain('/tool_outputs/big.txt');
  });
});

test('the clock is read in the user’s zone or another, and a zone that does not exist is said to be none', async () => {
  const context = toolContext(await freshDatabase());
  expect(json(await dateTime.call({}, context))).toMatchObject({
    date: '2026-09-21',
    time: '16:13:20',
    utc_offset: '+02:00',
    weekday: 'Monday',
  });
  expect(json(await dateTime.call({ time_zone: 'Asia/Tokyo' }, context))).toMatchObject({ time: '23:13:20' });
  expect(await dateTime.call({ time_zone: 'Mars/Olympus' }, context)).toMatchObject({ failure: 'refused' });
});

test('what the chat can do is told as it is', async () => {
  const outcome = await sessionCapabilities.call({}, toolContext(await freshDatabase()));
  expect(json(outcome)).toMatchObject({ toolCallsAvailable: true, availableTools: ['a', 'b'], memory: { enabled: false } });
});

test('a picture of the conversation is shown by its name, the newest of that name', async () => {
  const picture = (blob: string): Part => ({
    type: 'media',
    step: 0,
    kind: 'image',
    blob,
    mimeType: 'image/png',
    name: 'cat.png',
    sizeBytes: 3,
  });
  const context = toolContext(await freshDatabase(), { before: [picture('a'.repeat(64)), picture('b'.repeat(64))] });
  expect(await showImage.call({ name: 'cat.png' }, context)).toMatchObject({ media: [{ blob: 'b'.repeat(64) }] });
  const missing = await showImage.call({ name: 'dog.png' }, context);
  expect(missing).toMatchObject({ failure: 'refused' });
  expect(missing.text).toContain('cat.png');
});
