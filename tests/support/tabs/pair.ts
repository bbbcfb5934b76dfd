import { expect } from 'vitest';
import { partsOf, textOf } from '../../../src/core/node';
import type { Commands, Events } from '../../../src/core/protocol';
import { readBranch } from '../../../src/storage/content';
import type { JackdawDatabase } from '../../../src/storage/db';
import { assembleWorker } from '../../../src/worker/assemble';
import { commandHandlers } from '../../../src/worker/commands';
import type { Channel } from '../../../src/worker/neighbours';
import { settle, testDesk } from '../generation';
import { noLocalModels } from '../no-device';
import { FakeLocks } from '../locks';

interface Told {
  readonly name: keyof Events;
  readonly payload: Events[keyof Events];
}

interface Letter {
  readonly from: string;
  readonly open: () => void;
}

/** What is on its way to workers arrives at once, but waits for a frozen one to thaw; to and from the dead nothing arrives. */
class Post {
  readonly #waiting = new Map<string, Letter[]>();
  readonly #dead = new Set<string>();

  deliver(from: string, to: string, open: () => void): void {
    queueMicrotask(() => {
      const waiting = this.#waiting.get(to);
      if (this.#dead.has(from) || this.#dead.has(to)) return;
      if (waiting === undefined) open();
      else waiting.push({ from, open });
    });
  }

  freeze(name: string): void {
    this.#waiting.set(name, []);
  }

  thaw(name: string): void {
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    for (const letter of waiting) if (!this.#dead.has(letter.from)) letter.open();
  }

  kill(name: string): void {
    this.#dead.add(name);
  }
}

/** The shared channel: everybody hears everybody else, in plain data. */
class Air {
  readonly #post: Post;
  readonly #ears = new Map<string, (event: MessageEvent<unknown>) => void>();

  constructor(post: Post) {
    this.#post = post;
  }

  channel(name: string): Channel {
    return {
      postMessage: (message) => {
        const data: unknown = structuredClone(message);
        for (const other of this.#ears.keys()) {
          if (other !== name) this.#post.deliver(name, other, () => this.hear(other, data));
        }
      },
      addEventListener: (_type, listener) => this.#ears.set(name, listener),
    };
  }

  /** A message arrives, whoever sent it and whenever. */
  hear(name: string, data: unknown): void {
    this.#ears.get(name)?.(new MessageEvent('message', { data }));
  }
}

/** Two workers over one database, each with its own clock and its own model. */
export async function pairOfTabs() {
  const post = new Post();
  const locks = new FakeLocks((worker, task) => post.deliver('locks', worker, task));
  const air = new Air(post);
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
      localModels: noLocalModels,
    });
    context.neighbours.greet();
    const handlers = commandHandlers(Promise.resolve(context));
    const run = async <K extends keyof Commands>(command: K, args: Commands[K]['args']): Promise<Commands[K]['result']> =>
      handlers[command](args, { signal: new AbortController().signal });
    const heard = (event: keyof Events): number => told.filter((one) => one.name === event).length;
    const until = async (event: keyof Events, count = 1): Promise<void> => {
      for (let turn = 0; turn < 200 && heard(event) < count; turn++) await settle();
      expect(heard(event), `${name} hears ${event}`).toBeGreaterThanOrEqual(count);
    };
    /** It dies: its locks are free, and what it said and nobody heard yet is lost. */
    const kill = (): void => {
      post.kill(name);
      locks.kill(name);
    };
    const freeze = (): void => post.freeze(name);
    const thaw = (): void => post.thaw(name);
    /** The browser takes the locks of the frozen tab. */
    const rob = (): void => locks.revoke(name);
    const hear = (data: unknown): void => air.hear(name, data);
    return { ...setup, context, hear, run, told, heard, until, kill, freeze, thaw, rob };
  };
  const left = await open('a');
  const right = await open('b');
  await settle();
  const branch = async (id: string): Promise<string> =>
    ((await readBranch(left.database, id, { limit: 9 }))?.nodes ?? [])
      .map((node) => `${node.role[0]}:${textOf(partsOf(node))}/${node.status}`)
      .join(' ');
  /** Another build of the app, which says `message` in its own way. Returns what is said to it. */
  const foreign = (said: object, protocol: number): unknown[] => {
    const heard: unknown[] = [];
    const channel = air.channel('other');
    void locks.forWorker('other').acquire('worker:other');
    channel.addEventListener('message', ({ data }) => heard.push(data));
    channel.postMessage({ from: 'other', to: '*', protocol, message: said });
    return heard;
  };
  return { left, right, locks, branch, foreign };
}

let messages = 0;

/** The arguments of a send, but for the conversation. */
export const message = (text: string) => ({
  messageId: `ffffffff-0000-4000-8000-${(++messages).toString().padStart(12, '0')}`,
  draft: { text, attachments: [] },
  answer: true,
  model: null,
});

/** A pair of which the left one is in the middle of an answer that says “Half”. */
export async function pairWithRun() {
  const both = await pairOfTabs();
  const answer = both.left.provider.next().text('Half');
  const { conversationId, nodeId, answerId } = await both.left.run('send', { conversationId: null, ...message('Tell') });
  await both.left.provider.asked(1);
  await settle();
  both.left.clock.advance(100);
  return { ...both, answer, conversationId, nodeId, answerId: answerId ?? '' };
}
