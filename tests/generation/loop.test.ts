import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/core/errors';
import { isPending, type MessageNode, type ToolPart } from '../../src/core/node';
import type { Decision } from '../../src/core/tool';
import { decide } from '../../src/generation/decisions';
import { continueAnswer, send } from '../../src/generation/entries';
import type { RunEvent, RunSubscriber } from '../../src/generation/hooks/events';
import { closeDeadRun } from '../../src/generation/recover';
import { endShownWait } from '../../src/generation/waits';
import { readBranch } from '../../src/storage/content';
import { addToolPolicies, readConversation, setConversationControls } from '../../src/storage/conversations';
import { readRun } from '../../src/storage/runs';
import { readSettings, writeSetting } from '../../src/storage/settings';
import { readWaits } from '../../src/storage/waits';
import type { AnyTool } from '../../src/tools/tool';
import { settle, testDesk, TOOL_MODEL } from '../support/generation';
import { echoTool } from '../support/test-tools';

const CONVERSATION = 'aaaaaaaa-0000-4000-8000-000000000001';
const STAMP = { at: 5, device: 'device' };

async function start(tools: readonly AnyTool[], subscribers: readonly RunSubscriber[] = []) {
  const setup = await testDesk({ tools, subscribers });
  await writeSetting(setup.database, 'defaultModel', TOOL_MODEL, STAMP);
  const held = await setup.desk.sessions.acquire(CONVERSATION);
  if (held === null) throw new Error('the lock was free');
  const { session } = held;
  let messages = 0;
  const say = async (text: string) =>
    send(setup.desk, session, {
      isNew: messages === 0,
      messageId: `bbbbbbbb-0000-4000-8000-${(++messages).toString().padStart(12, '0')}`,
      draft: { text, attachments: [] },
      answer: true,
      model: null,
    });
  const answer = async (): Promise<MessageNode> => {
    const node = (await readBranch(setup.database, CONVERSATION, { limit: 1 }))?.nodes.at(-1);
    if (node === undefined) throw new Error('there is no answer');
    return node;
  };
  const calls = async (): Promise<readonly ToolPart[]> =>
    (await answer()).steps.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool' ? [part] : [])));
  const word = async (callId: string, decision: Decision): Promise<void> => {
    const node = await answer();
    await decide(setup.desk, session, { conversationId: CONVERSATION, nodeId: node.id, callId }, decision);
  };
  return { ...setup, session, say, answer, calls, word };
}

const APPROVE: Decision = { type: 'approve', scope: 'once' };

describe('the loop', () => {
  test('runs calls in order, tells the model, and stores each step as its own', async () => {
    const runs: string[] = [];
    const { provider, say, heard, answer } = await start([echoTool(runs)]);
    provider.next().text('Let me see.').call('a', 'echo', { text: '1' }).call('b', 'echo', { text: '2' }).finishCalls();
    provider.next().text('Done.').finish();
    await say('Go');
    expect(await heard.end()).toMatchObject({ status: 'complete' });
    expect(runs).toEqual(['echo:1', 'echo:2']);
    const node = await answer();
    expect(node.steps.map(({ step, parts }) => [step, parts.map((part) => part.type).join()])).toEqual([
      [0, 'text,tool,tool'],
      [1, 'text'],
    ]);
    expect(node.steps[0]?.parts[2]).toMatchObject({ execution: 'done', result: { text: 'said 2' }, approval: 'auto' });
    const [, second] = provider.requests;
    expect(second?.history.at(-1)?.parts.map((part) => (part.type === 'tool-call' ? part.result.text : part.type))).toEqual([
      'text',
      'said 1',
      'said 2',
    ]);
  });

  test('sends the same system and tools in every step, and what was said before unchanged', async () => {
    const { provider, say, heard } = await start([echoTool([])]);
    for (let step = 0; step < 3; step += 1)
      provider
        .next()
        .call(`c${String(step)}`, 'echo', { text: String(step) })
        .finishCalls();
    provider.next().text('Done.').finish();
    await say('Go');
    await heard.end();
    const said = provider.requests.map(({ system, tools, history }) => ({
      head: JSON.stringify({ system, tools }),
      parts: JSON.stringify(history.map(({ role, parts }) => [role, parts])).replace(/\]+$/, ''),
    }));
    expect(new Set(said.map(({ head }) => head)).size).toBe(1);
    said.slice(1).forEach(({ parts }, index) => {
      expect(parts.startsWith(said[index]?.parts ?? '?')).toBe(true);
    });
  });

  test.each([
    ['cut by the limit', '{"text":"1"}', 'length', 'arguments-truncated'],
    ['half an object', '{"text":"1', 'length', 'arguments-truncated'],
    ['no JSON', '{text: 1}', 'tool_calls', 'arguments-invalid'],
    ['a list', '[1]', 'tool_calls', 'arguments-invalid'],
    ['an unknown argument', '{"text":"1","more":2}', 'tool_calls', 'arguments-invalid'],
    ['a missing one', '', 'tool_calls', 'arguments-invalid'],
  ] as const)('never runs a call with %s', async (_what, args, reason, failure) => {
    const runs: string[] = [];
    const { provider, say, heard, calls } = await start([echoTool(runs)]);
    provider.next().call('a', 'echo', args).finishCalls(reason);
    provider.next().text('Sorry.').finish();
    await say('Go');
    await heard.end();
    expect(runs).toEqual([]);
    expect(await calls()).toMatchObject([{ execution: 'failed', failure, argumentsText: args }]);
    if (args.includes('more')) expect((await calls())[0]?.result?.text).toContain('“more”');
  });

  test('names the tools that exist to a model that calls another, and finds one by its name in another case', async () => {
    const runs: string[] = [];
    const { provider, say, heard, calls } = await start([echoTool(runs)]);
    provider.next().call('a', 'fetch').call('b', 'ECHO', { text: 'x' }).finishCalls();
    provider.next().text('Sorry.').finish();
    await say('Go');
    await heard.end();
    expect((await calls())[0]).toMatchObject({ failure: 'unknown-tool' });
    expect((await calls())[0]?.result?.text).toContain('echo');
    expect(runs).toEqual(['echo:x']);
  });

  test('notes the second identical failure', async () => {
    const { provider, say, heard, calls } = await start([
      echoTool([], {
        run: () => {
          throw new Error('the disk is on fire');
        },
      }),
    ]);
    for (const id of ['a', 'b']) provider.next().call(id, 'echo', { text: 'x' }).finishCalls();
    provider.next().text('I give up.').finish();
    await say('Go');
    await heard.end();
    const texts = (await calls()).map((call) => call.result?.text ?? '');
    expect(texts[0]).toContain('the disk is on fire');
    expect(texts[0]).not.toContain('2 times');
    expect(texts[1]).toContain('2 times');
    expect(texts.join()).not.toMatch(/\bat .*\.ts/);
  });

  test('asks after 100 steps, goes on when told to, and ends visibly at 256', async () => {
    const runs: string[] = [];
    const { desk, session, provider, say, heard, answer } = await start([echoTool(runs)]);
    for (let step = 0; step < 256; step += 1)
      provider
        .next()
        .call(`c${String(step)}`, 'echo', { text: String(step) })
        .finishCalls();
    await say('Go');
    expect(await heard.end()).toMatchObject({ status: 'awaiting' });
    expect(provider.requests).toHaveLength(100);
    expect(runs).toHaveLength(99);
    await continueAnswer(desk, session, (await answer()).id);
    expect(await heard.end(2)).toMatchObject({ status: 'awaiting' });
    expect(provider.requests).toHaveLength(200);
    await continueAnswer(desk, session, (await answer()).id);
    expect(await heard.end(3)).toMatchObject({ status: 'failed', error: { code: 'step-limit' } });
    expect(provider.requests).toHaveLength(256);
    expect(runs).toHaveLength(255);
    expect((await answer()).steps.at(-1)?.parts[0]).toMatchObject({ failure: 'step-limit' });
  });

  test('gives up on a model whose calls are cut again and again', async () => {
    const { provider, say, heard } = await start([echoTool([])]);
    for (let step = 0; step < 9; step += 1)
      provider
        .next()
        .call(`c${String(step)}`, 'echo', '{"te')
        .finishCalls('length');
    await say('Go');
    expect(await heard.end()).toMatchObject({ status: 'complete' });
    expect(provider.requests).toHaveLength(3);
  });

  test('keeps a long output and sends its beginning', async () => {
    const lengths = [32_768, 32_769];
    const { provider, say, heard, calls, database } = await start([
      echoTool([], { run: ({ text }) => ({ text: 'x'.repeat(Number(text)) }) }),
    ]);
    lengths.forEach((length, index) =>
      provider
        .next()
        .call(`c${String(index)}`, 'echo', { text: String(length) })
        .finishCalls(),
    );
    provider.next().text('Read.').finish();
    await say('Go');
    await heard.end();
    const [whole, cut] = await calls();
    expect(whole?.result?.text).toHaveLength(32_768);
    expect(whole?.result?.stored).toBeUndefined();
    expect(cut?.result?.stored).toMatchObject({ path: '/tool_outputs/c1.txt', characters: 32_769 });
    expect(cut?.result?.text.match(/x+$/)?.[0]).toHaveLength(4096);
    expect(await database.blobReferences.count()).toBe(1);
  });
});

describe('a stop', () => {
  test('reaches the tool, and leaves nothing that is still open', async () => {
    const aborted: boolean[] = [];
    const { provider, say, heard, calls, session } = await start([
      echoTool([], {
        run: ({ text }, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted.push(true);
              // One that listens and one that does not.
              if (text === 'polite') reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
            });
          }),
      }),
    ]);
    provider.next().call('a', 'echo', { text: 'deaf' }).call('b', 'echo', { text: 'polite' }).finishCalls();
    await say('Go');
    await provider.asked(1);
    await settle();
    await session.stop();
    expect(aborted).toEqual([true]);
    expect(await heard.end()).toMatchObject({ status: 'interrupted' });
    expect(await calls()).toMatchObject([{ execution: 'interrupted' }, { execution: 'interrupted' }]);
    provider.next().text('Again.').finish();
    await say('Once more');
    await heard.end(2);
    const sent = provider.requests[1]?.history.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' ? [part.result] : [])),
    );
    expect(sent).toHaveLength(2);
  });
});

describe('a call that needs the user', () => {
  const asking = (runs: string[]): readonly AnyTool[] => [echoTool(runs), echoTool(runs, { name: 'pay', approval: 'ask' })];

  test('pauses the answer with nothing run, and goes on with all of it in order', async () => {
    const runs: string[] = [];
    const { provider, say, heard, answer, word, database } = await start(asking(runs));
    provider.next().call('a', 'echo', { text: '1' }).call('b', 'pay', { text: '2' }).call('c', 'echo', { text: '3' }).finishCalls();
    provider.next().text('Paid.').finish();
    await say('Go');
    expect(await heard.end()).toMatchObject({ status: 'awaiting' });
    expect(runs).toEqual([]);
    expect((await answer()).steps.at(-1)?.parts.filter(isPending)).toHaveLength(1);
    expect(await readWaits(database)).toMatchObject([{ callId: 'b', isQuestion: false }]);
    expect(await readRun(database, CONVERSATION)).toBeUndefined();
    await word('b', APPROVE);
    expect(await heard.end(2)).toMatchObject({ status: 'complete' });
    expect(runs).toEqual(['echo:1', 'pay:2', 'echo:3']);
    expect(await readWaits(database)).toEqual([]);
  });

  test('resumes once, when the last of several is decided; a denial is told with its reason', async () => {
    const runs: string[] = [];
    const { provider, say, heard, calls, word } = await start(asking(runs));
    provider.next().call('a', 'pay', { text: '1' }).call('b', 'pay', { text: '2' }).finishCalls();
    provider.next().text('Half.').finish();
    await say('Go');
    await heard.end();
    await word('b', APPROVE);
    expect(heard.starts).toHaveLength(1);
    await word('a', { type: 'deny', scope: 'once', reason: 'too dear' });
    await heard.end(2);
    expect(heard.starts).toHaveLength(2);
    expect(runs).toEqual(['pay:2']);
    expect(await calls()).toMatchObject([
      { approval: 'denied', execution: 'failed', failure: 'denied', reason: 'too dear' },
      { approval: 'approved', execution: 'done' },
    ]);
    expect((await calls())[0]?.result?.text).toContain('too dear');
  });

  test('is decided once: the second word is refused and changes nothing', async () => {
    const runs: string[] = [];
    const { provider, say, heard, word } = await start(asking(runs));
    provider.next().call('a', 'pay', { text: '1' }).finishCalls();
    provider.next().text('Paid.').finish();
    await say('Go');
    await heard.end();
    const both = await Promise.allSettled([word('a', APPROVE), word('a', { type: 'deny', scope: 'once', reason: '' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await heard.end(2);
    await expect(word('a', APPROVE)).rejects.toMatchObject({ code: 'call-not-pending' });
    expect(runs.length).toBeLessThanOrEqual(1);
  });

  test('runs with the user’s arguments, and keeps the model’s own', async () => {
    const runs: string[] = [];
    const { provider, say, heard, calls, word } = await start(asking(runs));
    provider.next().call('a', 'pay', { text: '100' }).finishCalls();
    provider.next().text('Paid.').finish();
    await say('Go');
    await heard.end();
    await expect(word('a', { ...APPROVE, argumentsText: '{"text":' })).rejects.toMatchObject({ code: 'arguments-invalid' });
    await word('a', { ...APPROVE, argumentsText: '{"text":"1"}' });
    await heard.end(2);
    expect(runs).toEqual(['pay:1']);
    expect(await calls()).toMatchObject([{ argumentsText: '{"text":"100"}', editedArguments: '{"text":"1"}' }]);
  });

  test('is not asked about again in this conversation, or ever, where the user said so', async () => {
    const runs: string[] = [];
    const { provider, say, heard, word, database } = await start(asking(runs));
    provider.next().call('a', 'pay', { text: '1' }).finishCalls();
    provider.next().call('b', 'pay', { text: '2' }).finishCalls();
    provider.next().text('Paid.').finish();
    await say('Go');
    await heard.end();
    await word('a', { type: 'approve', scope: 'conversation' });
    expect(await heard.end(2)).toMatchObject({ status: 'complete' });
    expect(runs).toEqual(['pay:1', 'pay:2']);
    expect((await readConversation(database, CONVERSATION))?.toolPolicies).toEqual({ 'tool:pay': 'allow' });
    expect((await readSettings(database)).toolPolicies).toEqual({});
  });

  test('that is never to run again is not offered to the model any more', async () => {
    const { provider, say, heard, word, database } = await start(asking([]));
    provider.next().call('a', 'pay', { text: '1' }).finishCalls();
    provider.next().text('All right.').finish();
    await say('Go');
    await heard.end();
    await word('a', { type: 'deny', scope: 'always', reason: '' });
    await heard.end(2);
    expect((await readSettings(database)).toolPolicies).toEqual({ 'tool:pay': 'deny' });
    provider.next().text('Hm.').finish();
    await say('Again');
    await heard.end(3);
    expect(provider.requests.at(-1)?.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(JSON.stringify(provider.requests.at(-1)?.system)).not.toContain('pay');
  });

  test('stays undecided for ever once the user says something else, and what was decided stays decided', async () => {
    const runs: string[] = [];
    const { provider, say, heard, word, database } = await start(asking(runs));
    provider.next().call('a', 'pay', { text: '1' }).call('b', 'pay', { text: '2' }).finishCalls();
    await say('Go');
    await heard.end();
    await word('a', APPROVE);
    provider.next().text('Fine.').finish();
    await say('Never mind');
    await heard.end(2);
    const nodes = (await readBranch(database, CONVERSATION, { limit: 9 }))?.nodes ?? [];
    expect(nodes[1]).toMatchObject({ status: 'interrupted' });
    expect(nodes[1]?.steps[0]?.parts).toMatchObject([
      { approval: 'approved', execution: 'interrupted' },
      { approval: 'pending', execution: 'interrupted' },
    ]);
    expect(runs).toEqual([]);
    expect(await readWaits(database)).toEqual([]);
    const [, second] = provider.requests;
    expect(second?.history[1]?.parts.filter((part) => part.type === 'tool-call')).toHaveLength(2);
  });

  test('is stopped by the stop button, and no word about it counts after that', async () => {
    const { desk, provider, say, heard, answer, word } = await start(asking([]));
    provider.next().call('a', 'pay', { text: '1' }).finishCalls();
    await say('Go');
    await heard.end();
    const { id } = await answer();
    await endShownWait(desk, CONVERSATION);
    expect(await answer()).toMatchObject({ id, status: 'interrupted' });
    await expect(word('a', APPROVE)).rejects.toMatchObject({ code: 'call-not-pending' });
  });

  test('keeps its approval when the worker dies before it runs, and runs when the answer goes on', async () => {
    const runs: string[] = [];
    const { desk, session, provider, say, heard, answer, word, database } = await start(asking(runs));
    provider.next().call('a', 'pay', { text: '1' }).finishCalls();
    await say('Go');
    await heard.end();
    // The worker dies between the word's being stored and the first tool.
    const { id } = await answer();
    const fail = (): never => {
      throw new Error('gone');
    };
    database.settings.hook('reading', fail);
    await word('a', APPROVE).catch(() => undefined);
    database.settings.hook('reading').unsubscribe(fail);
    await closeDeadRun(desk, CONVERSATION, () => Promise.resolve(true));
    expect(await answer()).toMatchObject({ id, status: 'interrupted', steps: [{ parts: [{ approval: 'approved', execution: 'open' }] }] });
    provider.next().text('Paid.').finish();
    await continueAnswer(desk, session, id);
    await settle();
    expect(runs).toEqual(['pay:1']);
  });
});

describe('what a turn offers', () => {
  test('is nothing in text mode, no agent tools where those are off, and nothing to a model that calls none', async () => {
    const { provider, say, heard, database } = await start([echoTool([]), echoTool([], { name: 'plan', isAgentTool: true })]);
    let ends = 0;
    const offered = async (): Promise<readonly string[]> => {
      provider.next().text('.').finish();
      await say('Go');
      await heard.end((ends += 1));
      return provider.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
    };
    expect(await offered()).toEqual(['echo', 'plan']);
    const controls = { mode: 'tools', webSearch: true, thinking: true, agentTools: false } as const;
    await setConversationControls(database, CONVERSATION, controls, STAMP);
    expect(await offered()).toEqual(['echo']);
    await setConversationControls(database, CONVERSATION, { ...controls, mode: 'text' }, STAMP);
    expect(await offered()).toEqual([]);
    expect(provider.requests.at(-1)?.system.join()).toContain('cannot call tools');
    await setConversationControls(database, CONVERSATION, { ...controls, thinking: false }, STAMP);
    await offered();
    expect(provider.requests.at(-1)?.reasoning).toBe('off');
  });

  test('is narrowed by the conversation’s and the user’s decisions', async () => {
    const { provider, say, heard, database } = await start([echoTool([]), echoTool([], { name: 'other' })]);
    await writeSetting(database, 'toolPolicies', { 'group:session': 'deny' }, STAMP);
    provider.next().text('.').finish();
    await say('Go');
    await heard.end();
    expect(provider.requests.at(-1)?.tools).toEqual([]);
    await writeSetting(database, 'toolPolicies', {}, STAMP);
    await addToolPolicies(database, CONVERSATION, { 'tool:echo': 'deny' }, STAMP);
    provider.next().text('.').finish();
    await say('Go');
    await heard.end(2);
    expect(provider.requests.at(-1)?.tools.map(({ name }) => name)).toEqual(['other']);
  });
});

describe('the events of a run', () => {
  function recorder() {
    const events: RunEvent[] = [];
    const names = (): readonly string[] =>
      events
        .filter(({ type }) => !type.endsWith('_update'))
        .map((event) =>
          'call' in event ? `${event.type}:${event.call.callId}` : 'step' in event ? `${event.type}:${String(event.step)}` : event.type,
        );
    return { events, names, subscriber: (event: RunEvent) => void events.push(event) };
  }

  test('of an answer without tools are six', async () => {
    const { names, subscriber } = recorder();
    const { provider, say, heard } = await start([], [subscriber]);
    provider.next().text('Hi').finish();
    await say('Go');
    await heard.end();
    expect(names()).toEqual(['agent_start', 'turn_start:0', 'message_start:0', 'message_end:0', 'turn_end:0', 'agent_end']);
  });

  test('of two rounds with two calls come in their order', async () => {
    const { events, names, subscriber } = recorder();
    const reporting = echoTool([], {
      run: ({ text }, { report }) => {
        report('half done');
        return { text };
      },
    });
    const { provider, say, heard } = await start([reporting], [subscriber]);
    provider.next().text('So').call('a', 'echo', { text: '1' }).call('b', 'echo', { text: '2' }).finishCalls();
    provider.next().text('Done').finish();
    await say('Go');
    await heard.end();
    expect(names()).toEqual([
      'agent_start',
      'turn_start:0',
      'message_start:0',
      'message_end:0',
      'tool_execution_start:a',
      'tool_execution_end:a',
      'tool_execution_start:b',
      'tool_execution_end:b',
      'turn_end:0',
      'turn_start:1',
      'message_start:1',
      'message_end:1',
      'turn_end:1',
      'agent_end',
    ]);
    const update = events.findIndex(({ type }) => type === 'tool_execution_update');
    expect(events[update]).toMatchObject({ call: { callId: 'a', progress: 'half done' } });
    expect(events[update - 1]).toMatchObject({ type: 'tool_execution_start', call: { callId: 'a' } });
  });

  test('close what was open, however the run ends: by a failure, by a stop in a tool, or waiting for the user', async () => {
    const { events, names, subscriber } = recorder();
    const hanging = echoTool([], { run: () => new Promise(() => undefined) });
    const { provider, say, heard, session } = await start([hanging, echoTool([], { name: 'pay', approval: 'ask' })], [subscriber]);
    provider.next().say(new AppError('auth'));
    await say('Go');
    await heard.end();
    expect(names()).toEqual(['agent_start', 'turn_start:0', 'message_start:0', 'message_end:0', 'turn_end:0', 'agent_end']);
    events.length = 0;
    provider.next().call('a', 'echo', { text: '1' }).finishCalls();
    await say('Go');
    await settle();
    await session.stop();
    expect(names().slice(-3)).toEqual(['tool_execution_start:a', 'turn_end:0', 'agent_end']);
    events.length = 0;
    provider.next().call('b', 'pay', { text: '1' }).finishCalls();
    await say('Go');
    await heard.end(3);
    expect(names().slice(-3)).toEqual(['message_end:0', 'turn_end:0', 'agent_end']);
  });

  test('are told, never asked: one who hears them and fails does not change the answer', async () => {
    const failing: RunSubscriber = () => {
      throw new Error('a broken hook');
    };
    const { provider, say, heard } = await start([], [failing]);
    provider.next().text('Hi').finish();
    await say('Go');
    expect(await heard.end()).toMatchObject({ status: 'complete', excerpt: 'Hi' });
    expect(heard.notices.length).toBeGreaterThan(0);
  });
});
