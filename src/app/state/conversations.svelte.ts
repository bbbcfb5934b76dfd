import { SvelteSet, createSubscriber } from 'svelte/reactivity';
import { listConversations, setPinned, setTitle, type ConversationSummary } from '../../storage/conversations';
import type { JackdawDatabase, WaitRow } from '../../storage/db';
import type { Stamp } from '../../storage/stamp';
import { readWaits } from '../../storage/waits';
import type { Engine } from '../engine';
import { LiveQuery } from './live-query.svelte';

/** Rows read at first, and added by each `showMore`: about three screens. */
export const PAGE_ROWS = 60;
const NO_WAITS: readonly WaitRow[] = [];

interface ConversationListOptions {
  readonly database: JackdawDatabase;
  readonly engine: Pick<Engine, 'call' | 'listen' | 'onRestart'>;
  readonly stamp: () => Stamp;
  readonly onError: (error: unknown) => void;
}

/** The conversations as the sidebar shows them: newest first, pinned ones ahead, and which of them are being answered. */
export class ConversationListState {
  readonly #options: ConversationListOptions;
  readonly #query: LiveQuery<{ readonly conversations: readonly ConversationSummary[]; readonly hasMore: boolean }>;
  readonly #waits: LiveQuery<readonly WaitRow[]>;
  readonly #running = new SvelteSet<string>();
  readonly #trackRunning: () => void;
  #limit = PAGE_ROWS;

  constructor(options: ConversationListOptions) {
    this.#options = options;
    this.#query = new LiveQuery(() => listConversations(options.database, { limit: this.#limit }), options.onError);
    this.#waits = new LiveQuery(() => readWaits(options.database), options.onError);
    this.#trackRunning = createSubscriber(() => this.#followRuns());
  }

  /** Undefined until the first rows are read. */
  get current(): readonly ConversationSummary[] | undefined {
    return this.#query.current?.conversations;
  }

  /** Whether there are older ones than those in `current`. */
  get hasMore(): boolean {
    return this.#query.current?.hasMore ?? false;
  }

  /** Ids of the conversations that are being answered, in any tab. */
  get running(): ReadonlySet<string> {
    this.#trackRunning();
    return this.#running;
  }

  /** Calls that wait for the user, in any conversation and any branch of it; one query for all who ask. Empty until it is read. */
  get waiting(): readonly WaitRow[] {
    return this.#waits.current ?? NO_WAITS;
  }

  showMore(): void {
    this.#limit += PAGE_ROWS;
    this.#query.restart();
  }

  /** Gives a title of the user's; blank text changes nothing. */
  async rename(id: string, title: string): Promise<void> {
    const text = title.trim();
    if (text === '') return;
    await this.#attempt(() => setTitle(this.#options.database, id, text, 'user', this.#options.stamp()));
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    await this.#attempt(() => setPinned(this.#options.database, id, pinned, this.#options.stamp()));
  }

  /** Ends its run and takes it out of the list; true when that was done. It can be brought back with `restore`. */
  async remove(id: string): Promise<boolean> {
    return this.#attempt(() => this.#options.engine.call('delete-conversation', { conversationId: id }));
  }

  async restore(id: string): Promise<boolean> {
    return this.#attempt(() => this.#options.engine.call('restore-conversation', { conversationId: id }));
  }

  async #attempt(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.#options.onError(error);
      return false;
    }
  }

  #followRuns(): () => void {
    const { engine } = this.#options;
    const controller = new AbortController();
    const stopListening = engine.listen((name, payload) => {
      if (name === 'run-start' && 'conversationId' in payload && payload.conversationId !== null) this.#running.add(payload.conversationId);
      if (name === 'run-end' && 'conversationId' in payload && payload.conversationId !== null)
        this.#running.delete(payload.conversationId);
    });
    const ask = (): void => {
      void engine.call('running', {}, controller.signal).then(
        (ids) => {
          this.#running.clear();
          for (const id of ids) this.#running.add(id);
        },
        (error: unknown) => {
          if (!controller.signal.aborted) this.#options.onError(error);
        },
      );
    };
    const stopRestart = engine.onRestart(ask);
    ask();
    return () => {
      controller.abort();
      stopListening();
      stopRestart();
    };
  }
}
