import { expect, test } from 'vitest';
import type { LocalEvent } from '../../src/core/local-model';
import type { JackdawDatabase } from '../../src/storage/db';
import { ownerGone } from '../../src/worker/neighbours';
import { SharedLocalModels, type EngineOwner, type EventChannel } from '../../src/worker/shared-local-models';
import { freshDatabase } from '../support/generation';
import { ask, downloaded, FINISH, NEVER, said, testHost, until, type TestHost } from '../support/local-host';
import { FakeLocks } from '../support/locks';

/** Channels that all tabs of a test share; what is posted comes a moment later, as between real tabs. */
class Air {
  readonly #open = new Map<string, Set<(event: MessageEvent<unknown>) => void>>();

  channel(name: string): EventChannel {
    const listeners = this.#open.get(name) ?? new Set();
    this.#open.set(name, listeners);
    const own = new Set<(event: MessageEvent<unknown>) => void>();
    return {
      postMessage: (data) => {
        const others = [...listeners].filter((listener) => !own.has(listener));
        setTimeout(() => {
          for (const listener of others) listener(new MessageEvent('message', { data }));
        }, 0);
      },
      addEventListener: (_type, listener) => {
        own.add(listener);
        listeners.add(listener);
      },
      close: () => {
        for (const listener of own) listeners.delete(listener);
      },
    };
  }
}

interface Tab {
  readonly models: SharedLocalModels;
  /** The host of this tab, each time it had the engine. */
  readonly hosts: TestHost[];
  die(): void;
}

/** Tabs over one database, one set of locks and one air. */
async function openTabs(...names: readonly string[]): Promise<readonly Tab[]> {
  const database: JackdawDatabase = await freshDatabase();
  const locks = new FakeLocks();
  const air = new Air();
  const all = new Map<string, Tab & { readonly death: Promise<never> }>();
  const open = async (name: string): Promise<void> => {
    const own = locks.forWorker(name);
    await own.acquire(`worker:${name}`);
    const hosts: TestHost[] = [];
    let kill: () => void = () => undefined;
    const death = new Promise<never>((_resolve, reject) => {
      kill = () => {
        reject(ownerGone());
      };
    });
    death.catch(() => undefined);
    const models: SharedLocalModels = new SharedLocalModels({
      locks: own,
      owner: async (lock): Promise<EngineOwner | null> => {
        const other = all.get((await own.holder(lock)) ?? '');
        return other === undefined || other.models === models ? null : ownerOver(other.models, other.death);
      },
      openHost: async () => {
        const host = await testHost({ database });
        hosts.push(host);
        return host.host;
      },
      openChannel: (channel) => air.channel(channel),
      sleep: async () =>
        new Promise((resolve) => {
          setTimeout(resolve, 0);
        }),
      newId: () => crypto.randomUUID(),
      warmUpModel: async () => null,
      emit: () => undefined,
    });
    const die = (): void => {
      kill();
      locks.kill(name);
    };
    all.set(name, { models, hosts, die, death });
  };
  for (const name of names) await open(name);
  return [...all.values()];
}

/** Another tab, which may die while it is asked. */
function ownerOver(models: SharedLocalModels, death: Promise<never>): EngineOwner {
  const alive = async <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => undefined);
    return Promise.race([work, death]);
  };
  return {
    act: async (action, signal) => alive(models.act(action, false, signal)),
    addFile: async () => Promise.reject(ownerGone()),
    serve: async (args, signal) => alive(models.serve(args, signal)),
  };
}

function listenTo(tab: Tab, signal = NEVER) {
  const heard: LocalEvent[] = [];
  const done = (async () => {
    for await (const event of tab.models.generate(ask('small'), signal)) heard.push(event);
  })();
  done.catch(() => undefined);
  return { heard, done };
}

/** The first tab has the engine with a loaded model. */
async function loadedIn([first]: readonly Tab[]): Promise<{ readonly tab: Tab; readonly setup: TestHost }> {
  if (first === undefined) throw new Error('no tab');
  const { models, hosts } = first;
  const view = models.act({ type: 'download', modelId: 'small' }, true, NEVER);
  const setup = await until(() => hosts[0]);
  await view;
  await downloaded(setup, 'small');
  const loading = models.act({ type: 'load', modelId: 'small' }, true, NEVER);
  const engine = await until(() => setup.engines[0]);
  await engine.answer('load', { contextTokens: 4096 });
  await loading;
  return { tab: first, setup };
}

test('a second tab is answered by the engine of the first, in order and to its end', async () => {
  const tabs = await openTabs('a', 'b');
  const { setup } = await loadedIn(tabs);
  const [, second] = tabs;
  if (second === undefined) throw new Error('no tab');
  const answer = listenTo(second);
  const engine = await until(() => setup.engines[0]);
  await until(() => engine.calls.find(({ name }) => name === 'generate'));
  engine.say(said('from'), said(' afar'));
  await engine.answer('generate', FINISH);
  await answer.done;
  expect(answer.heard).toEqual([{ type: 'wait', wait: { type: 'reading' } }, said('from'), said(' afar'), FINISH]);
  expect(second.hosts).toEqual([]);
});

test('a stop in the second tab stops the engine of the first', async () => {
  const tabs = await openTabs('a', 'b');
  const { setup } = await loadedIn(tabs);
  const [, second] = tabs;
  if (second === undefined) throw new Error('no tab');
  const controller = new AbortController();
  const answer = listenTo(second, controller.signal);
  const engine = await until(() => setup.engines[0]);
  await until(() => engine.calls.find(({ name }) => name === 'generate'));
  controller.abort();
  await expect(answer.done).rejects.toThrow('abort');
  await until(() => engine.calls.find(({ name }) => name === 'interrupt'));
});

test('the tab that had the engine dies: what was heard is kept, and the other has the engine from then on', async () => {
  const tabs = await openTabs('a', 'b');
  const { setup, tab } = await loadedIn(tabs);
  const [, second] = tabs;
  if (second === undefined) throw new Error('no tab');
  const answer = listenTo(second);
  const engine = await until(() => setup.engines[0]);
  await until(() => engine.calls.find(({ name }) => name === 'generate'));
  engine.say(said('Half'));
  await until(() => answer.heard.find(({ type }) => type === 'chunk'));
  tab.die();
  await expect(answer.done).rejects.toMatchObject({ code: 'stream-cut', retryable: true });

  const next = listenTo(second);
  const host = await until(() => second.hosts[0]);
  const own = await until(() => host.engines[0]);
  await own.answer('load', { contextTokens: 4096 });
  await own.answer('generate', FINISH);
  await next.done;
});

test('the engine is nobody’s while nothing is loaded', async () => {
  const [first, second] = await openTabs('a', 'b');
  if (first === undefined || second === undefined) throw new Error('no tab');
  await first.models.look();
  await second.models.look();
  expect([first.hosts.length, second.hosts.length]).toEqual([1, 1]);
});
