import type { Commands, Events } from '../../../src/core/protocol';
import type { MessageNode } from '../../../src/core/node';
import type { RunDelta, RunEnd, RunSnapshot } from '../../../src/core/run';
import { applyDelta, isSettled, startLiveRun, type LiveRun } from '../../../src/app/chat/live-run';

interface ConversationPage {
  watch(): Promise<Commands['watch']['result']>;
  onShown(live: LiveRun): void;
  onRefused(error: unknown): void;
}

/** What the page of a tab shows of one conversation: the stored branch, and the running answer over it, as it hears of them. */
export class ShownConversation {
  readonly conversationId: string;
  readonly #page: ConversationPage;
  #nodes: readonly MessageNode[] = [];
  #live: LiveRun | null = null;
  #watching: symbol | null = null;

  constructor(conversationId: string, page: ConversationPage) {
    this.conversationId = conversationId;
    this.#page = page;
  }

  get nodes(): readonly MessageNode[] {
    return this.#nodes;
  }

  get live(): LiveRun | null {
    return this.#live;
  }

  /** A newer reading of the stored branch. */
  read(nodes: readonly MessageNode[]): void {
    this.#nodes = nodes;
    this.#settle();
  }

  async watch(): Promise<void> {
    const request = Symbol('watch');
    this.#watching = request;
    try {
      const snapshot = await this.#page.watch();
      if (this.#watching !== request) return;
      this.#watching = null;
      if (snapshot === null) this.#end();
      else this.#begin(snapshot);
    } catch (error) {
      if (this.#watching === request) this.#watching = null;
      this.#page.onRefused(error);
    }
  }

  hear<K extends keyof Events>(name: K, payload: Events[K]): void {
    if (!('conversationId' in payload) || payload.conversationId !== this.conversationId) return;
    if (isStart(name, payload)) this.#begin(payload);
    else if (isDelta(name, payload)) this.#advance(payload);
    else if (isEnd(name, payload) && this.#live?.runId === payload.runId) this.#end();
  }

  #begin(snapshot: RunSnapshot): void {
    const earlier = this.#live?.runId === snapshot.runId ? this.#live : null;
    if (earlier !== null && earlier.revision > snapshot.revision) return;
    const stored = this.#nodes.find((node) => node.id === snapshot.nodeId);
    const live = startLiveRun(snapshot, stored);
    this.#show(earlier === null ? live : { ...live, earlier: earlier.earlier, staleRevision: earlier.staleRevision });
  }

  #advance(delta: RunDelta): void {
    const next = applyDelta(this.#live, delta);
    if (next !== 'gap') this.#show(next);
    else if (this.#watching === null) void this.watch();
  }

  #end(): void {
    if (this.#live === null) return;
    this.#live = { ...this.#live, ended: true };
    this.#settle();
  }

  #show(live: LiveRun): void {
    this.#live = live;
    this.#page.onShown(live);
  }

  #settle(): void {
    if (this.#live !== null && isSettled(this.#live, this.#nodes)) this.#live = null;
  }
}

function isStart(name: string, payload: unknown): payload is RunSnapshot {
  return name === 'run-start' && payload !== null;
}

function isDelta(name: string, payload: unknown): payload is RunDelta {
  return name === 'run-delta' && payload !== null;
}

function isEnd(name: string, payload: unknown): payload is RunEnd {
  return name === 'run-end' && payload !== null;
}
