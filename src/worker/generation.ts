import { Peer, type Listener as EventListener } from '../bridge/rpc';
import { AppError } from '../core/errors';
import type { Commands, Events, PageCalls } from '../core/protocol';
import type { Environment } from '../generation/environment';
import { Sessions } from '../generation/sessions';
import { createGate } from '../outbound/gate';
import type { JackdawDatabase } from '../storage/db';
import { appendLedger } from '../storage/ledger';
import { deviceId } from '../storage/meta';
import { openDatabase } from '../storage/open';
import { readSettings } from '../storage/settings';
import { RunAudience, type Listener } from './audience';
import { commandHandlers } from './commands';
import type { WorkerContext } from './context';
import { webLocks, WORKER_LOCK } from './locks';
import { Neighbours, type Neighbour } from './neighbours';
import { recoverAll } from './recovery';
import { runUpkeep } from './upkeep';

declare const self: DedicatedWorkerGlobalScope;

const CHANNEL = 'jackdaw-workers';

// The port is served from the first moment; commands wait for the database inside.
let isReady: (context: WorkerContext) => void = () => undefined;
let isBroken: (reason: unknown) => void = () => undefined;
const ready = new Promise<WorkerContext>((resolve, reject) => {
  isReady = resolve;
  isBroken = reject;
});
// Each command reports it; without a command waiting there is nobody to tell.
ready.catch(() => undefined);
const page = new Peer<PageCalls, Commands, Events, Record<never, never>>(self, commandHandlers(ready), () => undefined);

start().catch(isBroken);

async function start(): Promise<void> {
  await webLocks.acquire(`${WORKER_LOCK}${self.name}`);
  page.emit('ready', { workerId: self.name });
  const database = await openDatabase({
    onBlocked: () => {
      tellPage(new AppError('storage-blocked'));
    },
    onOutdated: () => {
      tellPage(new AppError('storage-outdated'));
    },
  });
  const context = await assemble(database);
  isReady(context);
  await recoverAll(context, webLocks);
  await runUpkeep(context, webLocks);
}

function tellPage(error: AppError): void {
  page.emit('notice', { error: { code: error.code, retryable: error.retryable, details: error.details }, conversationId: null });
}

async function assemble(database: JackdawDatabase): Promise<WorkerContext> {
  const environment = await realEnvironment(database);
  const sessions = new Sessions(webLocks, (ms, callback) => environment.schedule(ms, callback));
  const everyone: Listener = {
    emit: (name, payload) => {
      neighbours.emit(name, payload);
    },
  };
  const audience = new RunAudience(page, everyone);
  const neighbours: Neighbours = new Neighbours({
    name: self.name,
    channel: new BroadcastChannel(CHANNEL),
    locks: webLocks,
    handlersFor: (neighbour) => commandHandlers(ready.then((context) => ({ ...context, caller: neighbour(), isPage: false }))),
    listenTo: (neighbour) => passOn(neighbour),
    onGone: (neighbour) => {
      audience.forget(neighbour);
      void ready.then((context) => recoverAll(context, webLocks));
    },
  });
  const context = { environment, sessions, feed: audience, audience, neighbours, caller: page, isPage: true };

  /** What another tab tells: passed to the page; a run that the page watches is watched there from now on. */
  function passOn(neighbour: () => Neighbour): EventListener<Events> {
    return (name, payload) => {
      page.emit(name, payload);
      if (name !== 'run-start' || !('parts' in payload) || !audience.isWatching(payload.conversationId, page)) return;
      void neighbour()
        .call('watch', { conversationId: payload.conversationId })
        .then(
          (snapshot) => {
            if (snapshot !== null) page.emit('run-start', snapshot);
          },
          // The owner died meanwhile: its lock tells, and recovery follows.
          () => undefined,
        );
    };
  }
  return context;
}

async function realEnvironment(database: JackdawDatabase): Promise<Environment> {
  const newId = (): string => crypto.randomUUID();
  return {
    database,
    device: await deviceId(database, newId),
    now: () => Date.now(),
    newId,
    random: () => Math.random(),
    sleep: async (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'));
        };
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', stop);
          resolve();
        }, ms);
        signal.addEventListener('abort', stop, { once: true });
      }),
    schedule: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => {
        clearTimeout(timer);
      };
    },
    gate: createGate({
      fetch: (input, init) => fetch(input, init),
      now: () => Date.now(),
      isLocked: async () => (await readSettings(database)).offlineLock,
      isOnline: () => navigator.onLine,
      pageOrigin: self.location.origin,
      record: async (entry) => appendLedger(database, entry),
    }),
  };
}
