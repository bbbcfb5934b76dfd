import { liveQuery, type Subscription } from 'dexie';
import { createSubscriber } from 'svelte/reactivity';

/**
 * A Dexie live query as a rune: it runs only while something reads `current`, and reads again after every write that touches its rows,
 * also of other tabs and workers. A failure goes to `onError` (once each) and leaves the last value standing.
 */
export class LiveQuery<T> {
  readonly #query: () => Promise<T>;
  readonly #onError: (error: unknown) => void;
  readonly #track: () => void;
  #value = $state.raw<T | undefined>(undefined);
  #subscription: Subscription | undefined;

  constructor(query: () => Promise<T>, onError: (error: unknown) => void) {
    this.#query = query;
    this.#onError = onError;
    this.#track = createSubscriber(() => {
      this.#subscribe();
      return () => {
        this.#subscription?.unsubscribe();
        this.#subscription = undefined;
      };
    });
  }

  /** The newest result; undefined until the first one is there. */
  get current(): T | undefined {
    this.#track();
    return this.#value;
  }

  /** Runs the query anew, for when something other than the database changed; the old value stays until the new one is there. */
  restart(): void {
    if (this.#subscription === undefined) return;
    this.#subscription.unsubscribe();
    this.#subscribe();
  }

  #subscribe(): void {
    this.#subscription = liveQuery(this.#query).subscribe({
      next: (value) => {
        this.#value = value;
      },
      error: this.#onError,
    });
  }
}
