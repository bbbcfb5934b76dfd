import { Peer } from '../bridge/rpc';
import { AppError, toAppError, toErrorData } from '../core/errors';
import type { Commands, Events, PageCalls } from '../core/protocol';
import type { Environment } from '../generation/environment';
import { DebugLog } from '../generation/hooks/debug-log';
import { createGate } from '../outbound/gate';
import { PROVIDERS } from '../providers';
import type { LocalRuntime } from '../providers/provider';
import type { JackdawDatabase } from '../storage/db';
import { appendLedger } from '../storage/ledger';
import { deviceId } from '../storage/meta';
import { openDatabase } from '../storage/open';
import { readSettings } from '../storage/settings';
import { assembleWorker } from './assemble';
import { commandHandlers } from './commands';
import { debugSink } from './debug-sink';
import type { WorkerContext } from './context';
import { loadAnswering } from './load-answering';
import { withWindow } from './local-fetch';
import { lazyLocalModels } from './local-models';
import { webLocks, WORKER_LOCK } from './locks';
import { obeyOfflineLock } from './offline-lock';
import { followQuestions } from './question-clocks';
import { recoverAll } from './recovery';
import { surroundings } from './surroundings';
import { runUpkeep } from './upkeep';

declare const self: DedicatedWorkerGlobalScope;

const CHANNEL = 'jackdaw-workers';
// The page comes first: by then it can be written in.
const FETCH_ANSWERING_MS = 1000;

// The port is served from the first moment; commands wait for the database inside.
let isReady: (context: WorkerContext) => void = () => undefined;
let isBroken: (reason: unknown) => void = () => undefined;
const ready = new Promise<WorkerContext>((resolve, reject) => {
  isReady = resolve;
  isBroken = reject;
});
// Each command reports it; without a command waiting there is nobody to tell.
ready.catch(() => undefined);
const handlers = commandHandlers(ready);
const page = new Peer<PageCalls, Commands, Events, Record<never, never>>(self, handlers, () => undefined);

start().catch(isBroken);

async function start(): Promise<void> {
  await webLocks.acquire(`${WORKER_LOCK}${self.name}`);
  page.emit('ready', { workerId: self.name });
  const database = await openPatiently();
  const localModels = lazyLocalModels(async () => (await import('./open-host')).openLocalModels(context, page));
  const environment = await realEnvironment(database, localModels);
  const channel = new BroadcastChannel(CHANNEL);
  const context: WorkerContext = assembleWorker({ name: self.name, page, channel, locks: webLocks, environment, localModels });
  context.neighbours.greet();
  isReady(context);
  followQuestions(
    environment,
    async (call) => handlers['expire-question'](call, { signal: new AbortController().signal }),
    (error) => {
      context.audience.failed(error, null);
    },
  );
  obeyOfflineLock(context);
  await recoverAll(context, webLocks).catch((error: unknown) => {
    context.audience.failed(error, null);
  });
  // What can't be loaded now says why when it is asked.
  if ((await readSettings(database)).warmUpModel) void context.localModels.warmUp().catch(() => undefined);
  // Before the first message is written.
  environment.schedule(FETCH_ANSWERING_MS, () => void loadAnswering().catch(() => undefined));
  await runUpkeep(context, webLocks);
}

/** An older tab may hold the database back for minutes; the page has told the user, and this worker waits as long as the page does. */
async function openPatiently(): Promise<JackdawDatabase> {
  for (;;) {
    try {
      return await openDatabase({
        onBlocked: () => {
          tellPage(new AppError('storage-blocked'));
        },
        onOutdated: () => {
          tellPage(new AppError('storage-outdated'));
        },
        onGone: () => {
          tellPage(new AppError('storage-gone'));
        },
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage-blocked') throw error;
    }
  }
}

function tellPage(error: AppError): void {
  page.emit('notice', { error: toErrorData(error), conversationId: null });
}

async function realEnvironment(database: JackdawDatabase, local: LocalRuntime): Promise<Environment> {
  const newId = (): string => crypto.randomUUID();
  const sink = debugSink((error) => {
    tellPage(toAppError(error));
  });
  const debugLog = new DebugLog(sink, () => Date.now());
  return {
    database,
    device: await deviceId(database, newId),
    now: () => Date.now(),
    elapsed: () => performance.now(),
    newId,
    random: () => Math.random(),
    providers: PROVIDERS,
    surroundings,
    tools: async () => (await import('../tools')).TOOLS,
    debugLog,
    runSubscribers: [debugLog.subscriber],
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    local,
    page,
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
      fetch: withWindow((input, init) => fetch(input, init), page, self.location.origin),
      now: () => Date.now(),
      isLocked: async () => (await readSettings(database)).offlineLock,
      isOnline: () => navigator.onLine,
      pageOrigin: self.location.origin,
      record: async (entry) => appendLedger(database, entry),
    }),
  };
}
