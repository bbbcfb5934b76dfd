import { describe, expect, test } from 'vitest';
import type { Commands, Events } from '../../src/core/protocol';
import { partsOf, textOf } from '../../src/core/node';
import { assembleWorker } from '../../src/worker/assemble';
import { commandHandlers } from '../../src/worker/commands';
import type { Channel } from '../../src/worker/neighbours';
import { recoverAll } from '../../src/worker/recovery';
import { readBranch } from '../../src/storage/content';
import type { JackdawDatabase } from '../../src/storage/db';
import { readRuns } from '../../src/storage/runs';
import { settle, testDesk } from '../support/generation';
import { FakeLocks } from '../support/locks';

interface Told {
  readonly name: keyof Events;
  readonly payload: Events[keyof Events];
}

/** The shared channel: everybody hears everybody else, in plain data. */
class Air {
  readonly #ears = new Map<string, (event: MessageEvent<unknown>) => void>();

  channel(name: string): Channel {
    return {
      postMessage: (message) => {
        const copy: unknown = structuredClone(message);
        queueMicrotask(() => {
          for (const [other, hear] of this.#ears) if (other !== name) hear(new MessageEvent('message', { data: copy }));
        });
      },
      addEventListener: (_type, listener) => this.#ears.set(name, listener),
    };
  }

  kill(name: string): void {
    this.#ears.delete(name);
  }
}

async function tabs() {
  const locks = new FakeLocks();
  const air = new Air();
  let database: JackdawDatabase | undefined;
  const open = async (name: string) => {
    const setup = await testDesk({ locks, worker: name, ...(database === undefined ? {} : { database }) });
    database = setup.database;
    await setup.locks.acquire(`worker:${name}`);
    const told: Told[] = [];
    const context = assembleWorker({
      name,
      page: { emit: (event, payload) => told.push({ name: event, payload }) },
      channel: air.channel(name),
      locks: setup.locks,
      environment: setup.desk.environment,
    });
    const handlers = commandHandlers(Promise.resolve(context));
    const run = async <K extends keyof Commands>(command: K, args: Commands[K]['args']): Promise<Commands[K]['result']> =>
      handlers[command](args, { signal: new AbortController().signal });
    const heard = (event: keyof Events): number => told.filter((one) => one.name === event).length;
    const until = async (event: keyof Events, count = 1): Promise<void> => {
      for (let turn = 0; turn < 200 && heard(event) < count; turn++) await settle();
      expect(heard(event), `${name} hears ${event}`).toBeGreaterThanOrEqual(count);
    };
    const kill = (): void => {
      air.kill(name);
      locks.kill(name);
    };
    return { ...setup, context, run, told, heard, until, kill };
  };
  const left = await open('a');
  const right = await open('b');
  const branch = async (id: string): Promise<string> =>
    ((await readBranch(left.database, id, { limit: 9 }))?.nodes ?? [])
      .map((node) => `${node.role[0]}:${textOf(partsOf(node))}/${node.status}`)
      .join(' ');
  return { left, right, branch };
}

let messages = 0;
const message = (text: string) => ({
  messageId: `ffffffff-0000-4000-8000-${(++messages).toString().padStart(12, '0')}`,
  draft: { text, attachments: [] },
  answer: true,
  model: null,
});

describe('two tabs on one conversation', () => {
  async function running() {
    const both = await tabs();
    const answer = both.left.provider.next().text('Half');
    const { conversationId } = await both.left.run('send', { conversationId: null, ...message('Tell') });
    await both.left.provider.asked(1);
    await settle();
    both.left.clock.advance(100);
    return { ...both, answer, conversationId };
  }

  test('a new conversation has an id of its own, and the same one when its first message comes again', async () => {
    const { left } = await tabs();
    const first = { conversationId: null, ...message('Tell'), answer: false };
    const { conversationId } = await left.run('send', first);
    expect(conversationId).not.toBe(first.messageId);
    expect(await left.run('send', first)).toMatchObject({ conversationId, nodeId: first.messageId });
  });

  test('both hear that a run began and ended', async () => {
    const { left, right, answer } = await running();
    await right.until('run-start');
    answer.finish();
    await left.until('run-end');
    await right.until('run-end');
  });

  test('the second one watches live from wherever the answer is', async () => {
    const { left, right, answer, conversationId } = await running();
    const snapshot = await right.run('watch', { conversationId });
    expect(textOf(snapshot?.parts ?? [])).toBe('Half');
    answer.text(' of it');
    await settle();
    left.clock.advance(200);
    await right.until('run-delta');
    const delta = right.told.find((one) => one.name === 'run-delta');
    expect(delta?.payload).toMatchObject({ changes: [{ type: 'append', index: 0, text: ' of it' }] });
  });

  test('nothing is sent to a tab that shows something else', async () => {
    const { left, right, answer } = await running();
    answer.text(' more').finish();
    await left.until('run-end');
    await right.until('run-end');
    expect(right.heard('run-delta')).toBe(0);
  });

  test('a tab that waits on the conversation is subscribed when a run begins elsewhere', async () => {
    const { left, right, answer, conversationId } = await running();
    answer.finish();
    await left.until('run-end');
    expect(await right.run('watch', { conversationId })).toBeNull();
    const next = left.provider.next().text('Second');
    await left.run('send', { conversationId, ...message('More') });
    await left.provider.asked(2);
    await settle();
    next.text(' answer');
    await settle();
    left.clock.advance(200);
    await right.until('run-delta');
  });

  test('the second one stops the run of the first', async () => {
    const { left, right, answer, conversationId, branch } = await running();
    await right.run('stop', { conversationId });
    expect(answer.isAborted).toBe(true);
    await left.until('run-end');
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/interrupted');
  });

  test('the second one sends: the first one, which owns the conversation, asks the model', async () => {
    const { left, right, answer, conversationId, branch } = await running();
    left.provider.next().text('Fine').finish();
    await right.run('send', { conversationId, ...message('And now?') });
    expect(answer.isAborted).toBe(true);
    await left.until('run-end', 2);
    expect(right.provider.requests).toHaveLength(0);
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/interrupted u:And now?/complete a:Fine/complete');
  });

  test('a refusal by the owner reaches the tab that asked', async () => {
    const { right, conversationId } = await running();
    await expect(right.run('send', { conversationId, ...message('  ') })).rejects.toMatchObject({ code: 'message-empty' });
  });

  test('after five idle seconds the other tab owns it itself', async () => {
    const { left, right, answer, conversationId } = await running();
    answer.finish();
    await left.until('run-end');
    left.clock.advance(5000);
    right.provider.next().text('Mine').finish();
    await right.run('send', { conversationId, ...message('Yours?') });
    await right.until('run-end', 2);
    expect(right.provider.requests).toHaveLength(1);
  });

  test('when the owner dies the other one closes the answer with what was saved, and can go on', async () => {
    const { left, right, conversationId, branch } = await running();
    await right.run('watch', { conversationId });
    left.clock.advance(1000);
    await settle();
    left.kill();
    await right.until('run-end');
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/interrupted');
    expect(await readRuns(right.database)).toEqual([]);
    right.provider.next().text('Going on').finish();
    await right.run('send', { conversationId, ...message('Still there?') });
    await right.until('run-end', 2);
    expect(await branch(conversationId)).toContain('a:Going on/complete');
  });

  test('a command that waits for an owner who dies is served here instead', async () => {
    const { left, right, conversationId } = await running();
    await right.run('watch', { conversationId });
    left.kill();
    await right.run('stop', { conversationId });
    await right.until('run-end');
  });

  test('opening and leaving a conversation never stops a run', async () => {
    const { left, right, answer, conversationId } = await running();
    await right.run('watch', { conversationId });
    await right.run('unwatch', { conversationId });
    await left.run('unwatch', { conversationId });
    expect(answer.isAborted).toBe(false);
    expect(await right.run('running', {})).toEqual([conversationId]);
  });
});

test('a tab that starts closes what a browser crash left', async () => {
  const { left, right, branch } = await tabs();
  left.provider.next().text('Half');
  const { conversationId } = await left.run('send', { conversationId: null, ...message('Tell') });
  await left.provider.asked(1);
  left.kill();
  await recoverAll(right.context, right.locks);
  expect(await branch(conversationId)).toBe('u:Tell/complete a:/interrupted');
});
