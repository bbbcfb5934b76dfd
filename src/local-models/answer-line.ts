import { AppError } from '../core/errors';
import type { LocalRequest } from '../core/local-model';

type Priority = LocalRequest['priority'];

interface Served {
  readonly priority: Priority;
  readonly controller: AbortController;
}

interface Waiting {
  readonly priority: Priority;
  begin(served: Served): void;
}

/** A place at the engine. `signal` fires when a chat wants it and this is background work. */
export interface Place {
  readonly signal: AbortSignal;
  leave(): void;
}

/**
 * Who is served by the one engine, one at a time: chats in the order in which they came, then the background. A chat that comes sends the
 * background away: its signal fires with `interrupted`, retryable.
 */
export class AnswerLine {
  readonly #waiting: Waiting[] = [];
  #served: Served | undefined;

  /** Whether the engine is busy or wanted. */
  get isBusy(): boolean {
    return this.#served !== undefined;
  }

  /** Resolves when it is this one's turn; `onQueued` is called where somebody else comes first. Throws the signal's reason once it fires. */
  async enter(priority: Priority, signal: AbortSignal, onQueued: () => void = () => undefined): Promise<Place> {
    signal.throwIfAborted();
    const before = this.#served;
    if (before !== undefined) {
      onQueued();
      if (priority === 'chat' && before.priority === 'background')
        before.controller.abort(new AppError('interrupted', { retryable: true }));
    }
    const served = before === undefined ? this.#serve(priority) : await this.#turn(priority, signal);
    return {
      signal: served.controller.signal,
      leave: () => {
        if (this.#served !== served) return;
        this.#served = undefined;
        this.#next();
      },
    };
  }

  #serve(priority: Priority): Served {
    this.#served = { priority, controller: new AbortController() };
    return this.#served;
  }

  async #turn(priority: Priority, signal: AbortSignal): Promise<Served> {
    return new Promise<Served>((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'));
      };
      const waiting: Waiting = {
        priority,
        begin: (served) => {
          signal.removeEventListener('abort', abort);
          resolve(served);
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #next(): void {
    const first = this.#waiting.find(({ priority }) => priority === 'chat') ?? this.#waiting[0];
    if (first === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    // Taken at once, so that nobody who comes before it has woken up is served in its place.
    first.begin(this.#serve(first.priority));
  }
}
