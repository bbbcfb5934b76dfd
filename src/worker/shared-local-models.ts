import { AppError } from '../core/errors';
import type { LocalEvent, LocalModelAction, LocalModelsView, LocalRequest } from '../core/local-model';
import type { Commands, Events } from '../core/protocol';
import type { Locks } from '../generation/sessions';
import type { LocalHost } from '../local-models/host';
import { Feed } from './feed';
import type { LocalModels } from './local-models';
import { isOwnerGone, ownerGone, type Owner } from './neighbours';

/** Held by the worker that has the engine. */
const LOCK = 'local-engine';

// As for a conversation's owner: between its death and its lock being free lie milliseconds.
const OWNER_TRIES = 40;
const OWNER_WAIT_MS = 50;

/** A broadcast channel that one answer for another tab comes through. */
export interface EventChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  close(): void;
}

/** The tab that has the engine, as another one reaches it. Each throws `owner-silent` where it is gone or sleeps. */
export interface EngineOwner {
  act(action: LocalModelAction, signal: AbortSignal): Promise<LocalModelsView>;
  addFile(args: Commands['add-model-file']['args'], signal: AbortSignal): Promise<LocalModelsView>;
  serve(args: Commands['local-generate']['args'], signal: AbortSignal): Promise<null>;
}

/** That tab by way of the neighbours' commands. */
export function engineOwner(owner: Owner): EngineOwner {
  return {
    act: async (action, signal) => owner.call('local-models', { action }, signal),
    addFile: async (args, signal) => owner.call('add-model-file', args, signal),
    serve: async (args, signal) => owner.call('local-generate', args, signal),
  };
}

export interface LocalModelsParts {
  readonly locks: Locks;
  /** The worker that holds a lock, in another tab; null where there is none. */
  owner(lockName: string): Promise<EngineOwner | null>;
  /** Fetches the code and reads the records: once a time that this worker gets the engine. */
  openHost(changed: (view: LocalModelsView) => void): Promise<LocalHost>;
  openChannel(name: string): EventChannel;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  newId(): string;
  /** The model of new chats, where it is one of this device and may be loaded unasked. */
  warmUpModel(): Promise<string | null>;
  /** Tells this page and every other tab. */
  emit<K extends 'local-models'>(name: K, payload: Events[K]): void;
}

/** The engine of this browser profile: here when its lock was free, else in the tab that holds it. Nobody holds it while nothing is loaded or fetched. */
export class SharedLocalModels implements LocalModels {
  readonly #parts: LocalModelsParts;
  #host: Promise<{ readonly host: LocalHost; readonly release: () => void } | null> | undefined;
  #uses = 0;

  constructor(parts: LocalModelsParts) {
    this.#parts = parts;
  }

  async look(): Promise<LocalModelsView> {
    return this.act({ type: 'look' }, true, new AbortController().signal);
  }

  async act(action: LocalModelAction, isPage: boolean, signal: AbortSignal): Promise<LocalModelsView> {
    return this.#atHost(
      isPage,
      signal,
      (host) => host.act(action, signal),
      (owner) => owner.act(action, signal),
    );
  }

  async addFile(args: { readonly file: Blob; readonly name: string }, isPage: boolean, signal: AbortSignal): Promise<LocalModelsView> {
    return this.#atHost(
      isPage,
      signal,
      (host) => host.addFile(args.file, args.name, signal),
      (owner) => owner.addFile(args, signal),
    );
  }

  async pauseDownloads(reason: AppError): Promise<void> {
    const held = await this.#host;
    await held?.host.pauseDownloads(reason);
  }

  async warmUp(): Promise<void> {
    const modelId = await this.#parts.warmUpModel();
    if (modelId !== null) await this.act({ type: 'load', modelId }, true, new AbortController().signal);
  }

  async *generate(request: LocalRequest, signal: AbortSignal): AsyncGenerator<LocalEvent> {
    const feed = new Feed<LocalEvent>();
    const take = (event: LocalEvent): void => {
      feed.push(event);
    };
    // Whoever stops reading stops the answer, too.
    const left = new AbortController();
    const either = AbortSignal.any([signal, left.signal]);
    this.#atHost(
      true,
      either,
      async (host) => host.generate(request, take, either),
      async (owner) => this.#fromOwner(owner, request, take, either),
    ).then(
      () => {
        feed.close();
      },
      (error: unknown) => {
        feed.fail(error);
      },
    );
    try {
      yield* feed.read(signal);
    } finally {
      left.abort();
    }
  }

  async serve({ streamId, request }: Commands['local-generate']['args'], signal: AbortSignal): Promise<null> {
    const channel = this.#parts.openChannel(streamId);
    try {
      await this.#atHost(
        false,
        signal,
        async (host) =>
          host.generate(
            request,
            (event) => {
              // What the engine still says to somebody who has left is nobody's.
              if (!signal.aborted) channel.postMessage(event);
            },
            signal,
          ),
        async () => Promise.reject(ownerGone()),
      );
    } finally {
      channel.close();
    }
    return null;
  }

  /** The answer comes through a channel of its own; its `finish` is waited for, because the two ways don't keep step. */
  async #fromOwner(owner: EngineOwner, request: LocalRequest, take: (event: LocalEvent) => void, signal: AbortSignal): Promise<void> {
    const streamId = this.#parts.newId();
    let hasOutput = false;
    const channel = this.#parts.openChannel(streamId);
    const finished = new Promise<void>((resolve) => {
      channel.addEventListener('message', ({ data }) => {
        if (!isLocalEvent(data)) return;
        take(data);
        hasOutput ||= data.type === 'chunk';
        if (data.type === 'finish') resolve();
      });
    });
    try {
      await owner.serve({ streamId, request }, signal);
      await finished;
    } catch (error) {
      // What was heard can't be asked for again elsewhere: it would be said twice.
      throw hasOutput && isOwnerGone(error) ? new AppError('stream-cut', { retryable: true }) : error;
    } finally {
      channel.close();
    }
  }

  /** Does it here where this worker has the engine or can have it, else in the tab that has it. Throws `owner-silent` where that one sleeps. */
  async #atHost<Result>(
    isPage: boolean,
    signal: AbortSignal,
    here: (host: LocalHost) => Promise<Result>,
    there: (owner: EngineOwner) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 0; attempt < OWNER_TRIES; attempt++) {
      this.#uses += 1;
      try {
        const held = await this.#acquire(isPage);
        if (held !== null) return await here(held.host);
        const owner = isPage ? await this.#parts.owner(LOCK) : null;
        if (owner !== null) return await there(owner);
      } catch (error) {
        if (!isOwnerGone(error) || !isPage) throw error;
      } finally {
        this.#uses -= 1;
        await this.#releaseWhenIdle();
      }
      if (!isPage) throw ownerGone();
      await this.#parts.sleep(OWNER_WAIT_MS, signal);
    }
    throw ownerGone();
  }

  async #acquire(mayTake: boolean): Promise<{ readonly host: LocalHost; readonly release: () => void } | null> {
    const known = await this.#host;
    if (known != null || !mayTake) return known ?? null;
    this.#host ??= this.#take();
    const taken = await this.#host;
    if (taken === null) this.#host = undefined;
    return taken;
  }

  async #take(): Promise<{ readonly host: LocalHost; readonly release: () => void } | null> {
    const release = await this.#parts.locks.tryAcquire(LOCK);
    if (release === null) return null;
    try {
      const host = await this.#parts.openHost((view) => {
        this.#parts.emit('local-models', view);
        void this.#releaseWhenIdle();
      });
      return { host, release };
    } catch (error) {
      this.#host = undefined;
      release();
      throw error;
    }
  }

  async #releaseWhenIdle(): Promise<void> {
    const held = await this.#host;
    if (held == null || this.#uses > 0 || !held.host.isIdle) return;
    this.#host = undefined;
    held.host.close();
    held.release();
  }
}

function isLocalEvent(value: unknown): value is LocalEvent {
  return typeof value === 'object' && value !== null && 'type' in value;
}
