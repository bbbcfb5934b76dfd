import type { Listener as EventListener } from '../bridge/rpc';
import type { Events } from '../core/protocol';
import type { Environment } from '../generation/environment';
import { Sessions, type Locks } from '../generation/sessions';
import { RunAudience, type Listener } from './audience';
import { commandHandlers } from './commands';
import type { WorkerContext } from './context';
import { HeardRuns } from './heard-runs';
import type { LocalModels } from './local-models';
import { Neighbours, type Channel, type Neighbour } from './neighbours';
import { recoverAll } from './recovery';

export interface WorkerParts {
  /** Unique among the tabs; the worker holds the lock `worker:` + this name. */
  readonly name: string;
  readonly page: Listener;
  readonly channel: Channel;
  readonly locks: Locks;
  readonly environment: Environment;
  readonly localModels: LocalModels;
}

/** Wires one worker: its sessions, who hears of its runs, and the other tabs. Nothing is started. */
export function assembleWorker({ name, page, channel, locks, environment, localModels }: WorkerParts): WorkerContext {
  const everyone: Listener = {
    emit: (event, payload) => {
      neighbours.emit(event, payload);
    },
  };
  const heard = new HeardRuns(page);
  const audience = new RunAudience(heard, everyone);
  const sessions = new Sessions(locks, (ms, callback) => environment.schedule(ms, callback));
  const neighbours: Neighbours = new Neighbours({
    name,
    channel,
    locks,
    handlersFor: (neighbour) => commandHandlers(Promise.resolve().then(() => ({ ...context, caller: neighbour(), isPage: false }))),
    sleep: (ms, signal) => environment.sleep(ms, signal),
    listenTo: (neighbour) => passOn(neighbour, heard, audience),
    onGone: (neighbour) => {
      audience.forget(neighbour);
      recoverAll(context, locks)
        .then(() => heard.tellMissedEnds(environment))
        .catch((error: unknown) => {
          audience.failed(error, null);
        });
    },
  });
  const context: WorkerContext = {
    environment,
    sessions,
    feed: audience,
    audience,
    heard,
    neighbours,
    localModels,
    caller: heard,
    isPage: true,
  };
  return context;
}

/** A newer tab may tell of something that this build has no word for; leaving that out is all an older one can do. */
const KNOWN_EVENTS: { readonly [name in keyof Events]: true } = {
  ready: true,
  'run-start': true,
  'run-delta': true,
  'run-end': true,
  'local-models': true,
  notice: true,
};

/** What another tab tells goes to the page; a run there that the page watches is watched from now on. */
function passOn(neighbour: () => Neighbour, page: Listener, audience: RunAudience): EventListener<Events> {
  return (name, payload) => {
    if (!Object.hasOwn(KNOWN_EVENTS, name)) return;
    page.emit(name, payload);
    if (name !== 'run-start' || !('parts' in payload) || !audience.isWatching(payload.conversationId, page)) return;
    neighbour()
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
