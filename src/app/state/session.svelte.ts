import { liveQuery, type Subscription } from 'dexie';
import { createSubscriber } from 'svelte/reactivity';
import type { Draft } from '../../core/draft';
import { isAbort, toErrorData, type ErrorData } from '../../core/errors';
import type { MessageNode, ModelReference } from '../../core/node';

import type { ChatControls, Decision } from '../../core/tool';
import type { StructureEntry, Tree } from '../../core/tree';
import type { Events } from '../../core/protocol';
import type { RunDelta, RunEnd, RunSnapshot } from '../../core/run';
import { readAlternative, readBranch, readNodes, type Branch } from '../../storage/content';
import { readConversation } from '../../storage/conversations';
import type { JackdawDatabase } from '../../storage/db';
import { applyDelta, isSettled, startLiveRun, type LiveRun } from '../chat/live-run';
import type { Engine } from '../engine';
import { changedIn, collect, endOf, missingAround, NO_CONTENT, type Content, type Range } from './branch-content';

/** Read at once where all is read: small enough that the page answers in between. */
const SEARCHED_NODES = 100;

export interface SessionDependencies {
  readonly database: JackdawDatabase;
  readonly engine: Pick<Engine, 'call' | 'listen' | 'onRestart'>;
}

interface Stored {
  readonly title: string;
  readonly model: ModelReference | null;
  readonly controls: ChatControls | null;
  readonly tree: Tree;
  readonly path: readonly StructureEntry[];
  readonly content: Content;
}

/**
 * One open conversation: its branch as stored, under the answer that is being written. The structure of the branch is known whole, content is
 * read where it is looked at, the end first. It watches and reads only while something on the page reads it; letting go of it never stops a run.
 */
export class SessionState {
  readonly conversationId: string;
  readonly #database: JackdawDatabase;
  readonly #engine: SessionDependencies['engine'];
  readonly #subscribe: () => void;
  #stored = $state.raw<Stored | 'loading' | 'missing'>('loading');
  #error = $state.raw<ErrorData | null>(null);
  #live = $state.raw<LiveRun | null>(null);
  #failure = $state.raw<{ readonly nodeId: string; readonly error: ErrorData } | null>(null);
  #lastEnd = $state.raw<RunEnd | null>(null);
  /** What the reader looks at; null: the end. */
  #range: Range | null = null;
  #reading = false;
  #query: Subscription | undefined;
  /** The newest request for a snapshot; deltas wait for it, answers to older ones are dropped. */
  #watching: symbol | null = null;
  #open = false;

  constructor(dependencies: SessionDependencies, conversationId: string) {
    this.conversationId = conversationId;
    this.#database = dependencies.database;
    this.#engine = dependencies.engine;
    this.#subscribe = createSubscriber(() => this.#start());
  }

  /** `missing`: there is no such conversation. */
  get status(): 'loading' | 'missing' | 'ready' {
    this.#subscribe();
    return typeof this.#stored === 'string' ? this.#stored : 'ready';
  }

  /** Every message of the branch, oldest first, without content. */
  get path(): readonly StructureEntry[] {
    this.#subscribe();
    return typeof this.#stored === 'string' ? [] : this.#stored.path;
  }

  /** A message with its content; unchanged ones keep their identity. Undefined: not read yet, see `look`. */
  node(id: string): MessageNode | undefined {
    this.#subscribe();
    return typeof this.#stored === 'string' ? undefined : this.#stored.content.get(id);
  }

  get title(): string {
    return typeof this.#stored === 'string' ? '' : this.#stored.title;
  }

  /** The model chosen for this conversation; null: none was. */
  get model(): ModelReference | null {
    this.#subscribe();
    return typeof this.#stored === 'string' ? null : this.#stored.model;
  }

  /** Mode and switches of this conversation; null: those of new ones. */
  get controls(): ChatControls | null {
    this.#subscribe();
    return typeof this.#stored === 'string' ? null : this.#stored.controls;
  }

  /** Why the conversation can't be read. */
  get error(): ErrorData | null {
    return this.#error;
  }

  /** The answer that lies over its stored node. */
  get live(): LiveRun | null {
    this.#subscribe();
    return this.#live;
  }

  /** Whether an answer is being written here, by whichever tab. */
  get running(): boolean {
    if (this.live !== null) return !this.live.ended;
    return this.path.at(-1)?.status === 'running';
  }

  /** The last command that failed on a message. */
  get failure(): { readonly nodeId: string; readonly error: ErrorData } | null {
    return this.#failure;
  }

  /** How the last run of this conversation ended while it was open. */
  get lastEnd(): RunEnd | null {
    return this.#lastEnd;
  }

  dismissFailure(): void {
    this.#failure = null;
  }

  /** The messages from `first` on and before `last` are looked at: what is missing of them, and around them, is read. */
  look(first: number, last: number): void {
    this.#range = { first, last };
    const stored = this.#stored;
    if (typeof stored === 'string' || this.#reading) return;
    const missing = missingAround(stored.path, stored.content, this.#range);
    if (missing.length > 0) void this.#readMore(stored.tree, missing);
  }

  /** The content of the whole branch, page by page from its end. Nothing of it is kept. */
  async *pagesFromEnd(): AsyncGenerator<readonly MessageNode[]> {
    const stored = this.#stored;
    if (typeof stored === 'string') return;
    for (let last = stored.path.length; last > 0; last -= SEARCHED_NODES) {
      const entries = stored.path.slice(Math.max(0, last - SEARCHED_NODES), last);
      yield (await readNodes(this.#database, this.conversationId, stored.tree, entries)).toReversed();
    }
  }

  /** Reads again after an error. */
  retryReading(): void {
    this.#error = null;
    this.#read();
  }

  /** Ends the run; what has arrived is kept. A failure shows at the running message. */
  async stop(): Promise<void> {
    const nodeId = this.#live?.nodeId ?? this.path.at(-1)?.id ?? '';
    await this.#act(nodeId, () => this.#engine.call('stop', { conversationId: this.conversationId }));
  }

  /** Another answer beside this one, or a first answer to a user's message. Failures of this and the next ones show at the message. */
  async regenerate(nodeId: string): Promise<void> {
    await this.#act(nodeId, () => this.#engine.call('regenerate', { conversationId: this.conversationId, nodeId, model: null }));
  }

  /** Goes on in the same message. */
  async continue(nodeId: string): Promise<void> {
    await this.#act(nodeId, () => this.#engine.call('continue', { conversationId: this.conversationId, nodeId }));
  }

  /** The user's word about a call that waits. True once it is stored. */
  async decide(nodeId: string, callId: string, decision: Decision): Promise<boolean> {
    const args = { conversationId: this.conversationId, nodeId, callId, decision };
    return this.#act(nodeId, () => this.#engine.call('decide', args));
  }

  /** Stops or starts the clock of a question, or takes it away. */
  async setQuestionClock(nodeId: string, callId: string, action: 'pause' | 'resume' | 'off'): Promise<void> {
    const args = { conversationId: this.conversationId, nodeId, callId, action };
    await this.#act(nodeId, () => this.#engine.call('question-clock', args));
  }

  /** Other words beside the old ones. True once they are stored. */
  async edit(nodeId: string, draft: Draft, answer: boolean): Promise<boolean> {
    const args = { conversationId: this.conversationId, nodeId, draft, answer, model: null };
    return this.#act(nodeId, () => this.#engine.call('edit', args));
  }

  /** Shows the alternative `nodeId` at once and remembers it; `at` is the message that it replaces on the page. */
  async select(nodeId: string, at: string): Promise<void> {
    const isDone = await this.#act(at, async () => {
      const shown = this.#showAlternative(nodeId);
      await this.#engine.call('select', { conversationId: this.conversationId, nodeId });
      await shown;
    });
    // What is stored is shown again.
    if (!isDone) this.#read();
  }

  async remove(nodeId: string): Promise<void> {
    await this.#act(nodeId, () => this.#engine.call('delete-node', { conversationId: this.conversationId, nodeId }));
  }

  async #act(nodeId: string, command: () => Promise<unknown>): Promise<boolean> {
    this.#failure = null;
    try {
      await command();
      return true;
    } catch (error) {
      if (!isAbort(error)) this.#failure = { nodeId, error: toErrorData(error) };
      return false;
    }
  }

  /** A branch of ten thousand messages takes a while to be stored and read again; of what is seen of it most is known. */
  async #showAlternative(nodeId: string): Promise<void> {
    const before = this.#stored;
    if (typeof before === 'string') return;
    const { conversationId } = this;
    const branch = await readAlternative(this.#database, { conversationId, tree: before.tree, nodeId }, (path) => this.#changedIn(path));
    // It may have been stored meanwhile, or something else may have happened.
    if (branch === undefined || this.#stored !== before) return;
    this.#show(before, branch);
  }

  #show(conversation: Pick<Stored, 'title' | 'model' | 'controls'>, { tree, path, nodes }: Branch): void {
    const { title, model, controls } = conversation;
    this.#stored = { title, model, controls, tree, path, content: collect(tree, path, this.#content, nodes, this.#range ?? endOf(path)) };
  }

  #changedIn(path: readonly StructureEntry[]): readonly StructureEntry[] {
    return changedIn(path, this.#content, this.#range ?? endOf(path), this.#live?.nodeId);
  }

  #start(): () => void {
    this.#open = true;
    const unlisten = this.#engine.listen((name, payload) => this.#hear[name](payload));
    const unlistenRestart = this.#engine.onRestart(() => void this.#watch());
    this.#read();
    void this.#watch();
    return () => {
      this.#open = false;
      this.#watching = null;
      unlisten();
      unlistenRestart();
      this.#query?.unsubscribe();
      // A worker that is gone watches nothing, so there is nothing to tell.
      this.#engine.call('unwatch', { conversationId: this.conversationId }).catch(() => undefined);
    };
  }

  #read(): void {
    this.#query?.unsubscribe();
    this.#query = liveQuery(async () => {
      const [conversation, branch] = await Promise.all([
        readConversation(this.#database, this.conversationId),
        readBranch(this.#database, this.conversationId, { choose: (path) => this.#changedIn(path) }),
      ]);
      return { conversation, branch };
    }).subscribe({
      next: ({ conversation, branch }) => {
        this.#error = null;
        if (conversation === undefined || branch === undefined) this.#stored = 'missing';
        else this.#show(conversation, branch);
        this.#settle();
      },
      error: (error: unknown) => this.#fail(error),
    });
  }

  async #readMore(tree: Tree, entries: readonly StructureEntry[]): Promise<void> {
    this.#reading = true;
    try {
      const nodes = await readNodes(this.#database, this.conversationId, tree, entries);
      const stored = this.#stored;
      if (typeof stored !== 'string') {
        const content = collect(stored.tree, stored.path, stored.content, nodes, this.#range ?? endOf(stored.path));
        this.#stored = { ...stored, content };
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#reading = false;
      // The reader may have gone on meanwhile.
      if (this.#range !== null && this.#error === null) this.look(this.#range.first, this.#range.last);
    }
  }

  get #content(): Content {
    return typeof this.#stored === 'string' ? NO_CONTENT : this.#stored.content;
  }

  #fail(error: unknown): void {
    const data = toErrorData(error);
    if (data.code === 'conversation-missing') this.#stored = 'missing';
    else this.#error = data;
  }

  async #watch(): Promise<void> {
    const request = Symbol('watch');
    this.#watching = request;
    try {
      const snapshot = await this.#engine.call('watch', { conversationId: this.conversationId });
      if (this.#watching !== request) return;
      this.#watching = null;
      if (snapshot === null) this.#end();
      else this.#begin(snapshot);
    } catch (error) {
      if (this.#watching !== request) return;
      this.#watching = null;
      const data = toErrorData(error);
      // A dead worker is started again and `onRestart` watches anew.
      if (!isAbort(error) && data.code !== 'worker-died') this.#error = data;
    }
  }

  readonly #hear: { readonly [K in keyof Events]: (payload: Events[K]) => void } = {
    'run-start': (snapshot) => {
      if (this.#isOurs(snapshot)) this.#begin(snapshot);
    },
    'run-delta': (delta) => {
      if (this.#isOurs(delta)) this.#advance(delta);
    },
    'run-end': (end) => {
      if (!this.#isOurs(end)) return;
      this.#lastEnd = end;
      if (this.#live?.runId === end.runId) this.#end();
    },
    ready: () => undefined,
    'local-models': () => undefined,
    notice: () => undefined,
  };

  #isOurs(event: { readonly conversationId: string }): boolean {
    return this.#open && event.conversationId === this.conversationId;
  }

  #begin(snapshot: RunSnapshot): void {
    const earlier = this.#live?.runId === snapshot.runId ? this.#live : null;
    if (earlier !== null && earlier.revision > snapshot.revision) return;
    const live = startLiveRun(snapshot, this.#find(snapshot.nodeId));
    this.#live = earlier === null ? live : { ...live, earlier: earlier.earlier, staleRevision: earlier.staleRevision };
  }

  #advance(delta: RunDelta): void {
    const next = applyDelta(this.#live, delta);
    if (next !== 'gap') this.#live = next;
    else if (this.#watching === null) void this.#watch();
  }

  #end(): void {
    if (this.#live === null) return;
    this.#live = { ...this.#live, ended: true };
    this.#settle();
  }

  /** Drops the overlay once the stored node says the same. */
  #settle(): void {
    if (this.#live !== null && typeof this.#stored !== 'string' && isSettled(this.#live, this.#stored.path)) this.#live = null;
  }

  #find(nodeId: string): StructureEntry | undefined {
    return typeof this.#stored === 'string' ? undefined : this.#stored.path.findLast((entry) => entry.id === nodeId);
  }
}
