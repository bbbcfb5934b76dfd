import type { AppError } from '../core/errors';
import { toErrorData } from '../core/errors';
import type { Events } from '../core/protocol';
import type { RunDelta, RunEnd, RunSnapshot } from '../core/run';
import type { RunFeed } from '../generation/desk';

/** Anything that can be told an event: the page's port, another tab's worker. */
export interface Listener {
  emit<K extends keyof Events & string>(name: K, payload: Events[K]): void;
}

/**
 * Who hears of runs. Beginnings and ends are few and go to everyone (spinners, lists); the text goes only to those who watch that
 * conversation, so that nothing is sent to tabs that show something else.
 */
export class RunAudience implements RunFeed {
  readonly #page: Listener;
  readonly #everyone: Listener;
  readonly #watchers = new Map<string, Set<Listener>>();

  constructor(page: Listener, everyone: Listener) {
    this.#page = page;
    this.#everyone = everyone;
  }

  watch(conversationId: string, listener: Listener): void {
    const watchers = this.#watchers.get(conversationId) ?? new Set();
    this.#watchers.set(conversationId, watchers.add(listener));
  }

  unwatch(conversationId: string, listener: Listener): void {
    const watchers = this.#watchers.get(conversationId);
    watchers?.delete(listener);
    if (watchers?.size === 0) this.#watchers.delete(conversationId);
  }

  isWatching(conversationId: string, listener: Listener): boolean {
    return this.#watchers.get(conversationId)?.has(listener) ?? false;
  }

  /** A tab is gone. */
  forget(listener: Listener): void {
    for (const conversationId of this.#watchers.keys()) this.unwatch(conversationId, listener);
  }

  started(snapshot: RunSnapshot): void {
    this.#page.emit('run-start', snapshot);
    this.#everyone.emit('run-start', snapshot);
  }

  delta(delta: RunDelta): void {
    for (const watcher of this.#watchers.get(delta.conversationId) ?? []) watcher.emit('run-delta', delta);
  }

  ended(end: RunEnd): void {
    this.#page.emit('run-end', end);
    this.#everyone.emit('run-end', end);
  }

  /** Any failure that no command is waiting for. */
  failed(error: unknown, conversationId: string | null): void {
    this.#page.emit('notice', { error: toErrorData(error), conversationId });
  }

  notice(error: AppError, conversationId: string | null): void {
    this.failed(error, conversationId);
  }
}
