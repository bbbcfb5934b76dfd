import { partsOf, textOf } from '../../core/node';
import type { SessionState } from '../state/session.svelte';

/** A search through a whole branch, most of which is not in the page. The newest message comes first, as the reader is at the end. */
export class ThreadFind {
  readonly #session: SessionState;
  #query = $state('');
  #found = $state.raw<readonly string[]>([]);
  #current = $state.raw<string | null>(null);
  #isSearching = $state(false);
  #search: symbol | undefined;

  constructor(session: SessionState) {
    this.#session = session;
  }

  get query(): string {
    return this.#query;
  }

  /** Ids of the messages with these words, newest first. */
  get found(): readonly string[] {
    return this.#found;
  }

  /** The message that is shown; null: none has the words. */
  get current(): string | null {
    return this.#current;
  }

  get isSearching(): boolean {
    return this.#isSearching;
  }

  /** Reads the branch from its end on; a newer call ends an older one. Rejects with storage codes. */
  async search(query: string): Promise<void> {
    const search = Symbol('search');
    this.#search = search;
    this.#query = query;
    this.#found = [];
    this.#current = null;
    const words = query.toLocaleLowerCase();
    if (words === '') return;
    this.#isSearching = true;
    try {
      for await (const nodes of this.#session.pagesFromEnd()) {
        if (this.#search !== search) return;
        const ids = nodes.filter((node) => textOf(partsOf(node)).toLocaleLowerCase().includes(words)).map((node) => node.id);
        if (ids.length > 0) this.#found = [...this.#found, ...ids];
        this.#current ??= ids[0] ?? null;
      }
    } finally {
      if (this.#search === search) this.#isSearching = false;
    }
  }

  /** To the next older message with the words, or with −1 the next newer one; around at the ends. */
  step(by: 1 | -1): void {
    const { length } = this.#found;
    if (length === 0) return;
    const at = this.#found.indexOf(this.#current ?? '');
    this.#current = this.#found[(at + by + length) % length] ?? null;
  }

  close(): void {
    this.#search = undefined;
    this.#isSearching = false;
    this.#query = '';
    this.#found = [];
    this.#current = null;
  }
}
