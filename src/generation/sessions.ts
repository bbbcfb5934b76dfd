import { AppError } from '../core/errors';
import type { RunEnd } from '../core/run';
import type { RunningTurn } from './turn';

// A session stays for a moment after its last use, so that a quick next message finds it.
const IDLE_MS = 5000;

/** Ownership of names that outlives a call: Web Locks, or their like in a test. */
export interface Locks {
  /** The lock if it is free now, else null. The returned function gives it back. */
  tryAcquire(name: string): Promise<(() => void) | null>;
  /** Waits for the lock. Rejects with the signal's reason once it fires. */
  acquire(name: string, signal?: AbortSignal): Promise<() => void>;
  /** Resolves once nobody holds the lock. Takes nothing: however many wait for it, none is in another's way. */
  whenFree(name: string): Promise<void>;
  /** Name of the worker that holds a lock, or null when nobody does. */
  holder(name: string): Promise<string | null>;
}

export function runLock(conversationId: string): string {
  return `run:${conversationId}`;
}

/** One conversation in the worker that owns it. Work on it is done one piece after the other; a run goes on beside that. */
export class Session {
  readonly conversationId: string;
  #tail: Promise<unknown> = Promise.resolve();
  #owed: (() => Promise<void>) | undefined;
  #run: { readonly turn: RunningTurn; readonly controller: AbortController; readonly ended: Promise<RunEnd> } | undefined;

  constructor(conversationId: string) {
    this.conversationId = conversationId;
  }

  get running(): RunningTurn | undefined {
    return this.#run?.turn;
  }

  /** Throws `internal` while a run goes on: whoever starts one has stopped the last. */
  expectIdle(): void {
    if (this.#run !== undefined) throw new AppError('internal', { details: { fault: 'a conversation was given a second run' } });
  }

  /** Runs `work` after everything that was asked before it. */
  async inOrder<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(work, work);
    this.#tail = mine.catch(() => undefined);
    return mine;
  }

  /** Takes note of a run; `ended` is its end including what has to be told about it. */
  attach(turn: RunningTurn, controller: AbortController, ended: Promise<RunEnd>): void {
    const run = { turn, controller, ended };
    this.#run = run;
    void ended.finally(() => {
      if (this.#run === run) this.#run = undefined;
    });
  }

  /** An answer that could not be stored: it is kept here until it can. */
  owe(store: () => Promise<void>): void {
    this.#owed = store;
  }

  /** Stores what is owed, before anything else is done here. Throws storage codes; what is owed stays owed then. */
  async settle(): Promise<void> {
    const owed = this.#owed;
    if (owed === undefined) return;
    await owed();
    if (this.#owed === owed) this.#owed = undefined;
  }

  /** Stops the run, if there is one, and waits until it is stored. Throws storage codes where it could not be: then it is owed. */
  async stop(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    run.controller.abort();
    await run.ended;
    await this.settle();
  }
}

interface Entry {
  readonly session: Session;
  references: number;
  readonly release: () => void;
  cancelIdle?: () => void;
}

/** The conversations that this worker owns: one lock each, counted references, given back five seconds after the last one. */
export class Sessions {
  readonly #locks: Locks;
  readonly #schedule: (ms: number, callback: () => void) => () => void;
  readonly #open = new Map<string, Entry>();
  readonly #opening = new Map<string, Promise<Entry | null>>();

  constructor(locks: Locks, schedule: (ms: number, callback: () => void) => () => void) {
    this.#locks = locks;
    this.#schedule = schedule;
  }

  /** The session of a conversation that this worker owns already. */
  find(conversationId: string): Session | undefined {
    return this.#open.get(conversationId)?.session;
  }

  /**
   * Takes a reference, and the lock if nobody has it. Null: another worker owns the conversation. The returned function gives the
   * reference back; calling it twice does nothing.
   */
  async acquire(conversationId: string): Promise<{ session: Session; release: () => void } | null> {
    const entry = this.#open.get(conversationId) ?? (await this.#tryOpen(conversationId));
    if (entry === null) return null;
    entry.references += 1;
    entry.cancelIdle?.();
    let isReleased = false;
    return {
      session: entry.session,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        entry.references -= 1;
        if (entry.references > 0) return;
        entry.cancelIdle = this.#schedule(IDLE_MS, () => {
          if (entry.references === 0) this.#close(entry);
        });
      },
    };
  }

  /** Two commands at once must not compete for one lock inside their own worker. */
  async #tryOpen(conversationId: string): Promise<Entry | null> {
    const opening = this.#opening.get(conversationId) ?? this.#lock(conversationId);
    this.#opening.set(conversationId, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(conversationId);
    }
  }

  async #lock(conversationId: string): Promise<Entry | null> {
    const release = await this.#locks.tryAcquire(runLock(conversationId));
    if (release === null) return null;
    const entry: Entry = { session: new Session(conversationId), references: 0, release };
    this.#open.set(conversationId, entry);
    return entry;
  }

  /** The conversation is another worker's by now: nothing more is done in this session, and the next command looks for the owner. */
  forget(session: Session): void {
    const entry = this.#open.get(session.conversationId);
    if (entry?.session === session) this.#close(entry);
  }

  #close(entry: Entry): void {
    const { conversationId } = entry.session;
    if (this.#open.get(conversationId) === entry) this.#open.delete(conversationId);
    entry.release();
  }

  /** Stops the runs of this worker that are meant; each is stored as any other stop. */
  stopAll(isMeant: (turn: RunningTurn) => boolean): void {
    for (const { session } of this.#open.values()) {
      // Of one that could not be stored its own end has told.
      if (session.running !== undefined && isMeant(session.running)) session.stop().catch(() => undefined);
    }
  }
}
