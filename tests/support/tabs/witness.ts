import { AppError, isAbort } from '../../../src/core/errors';
import { isPending, partsOf, textOf, type MessageNode, type Part } from '../../../src/core/node';
import type { Events } from '../../../src/core/protocol';
import type { RunEnd } from '../../../src/core/run';
import { ROOT, type Tree } from '../../../src/core/tree';
import type { LiveRun } from '../../../src/app/chat/live-run';
import { runLock } from '../../../src/generation/sessions';
import { readBranch, readNode } from '../../../src/storage/content';
import type { JackdawDatabase } from '../../../src/storage/db';
import { readRun, readRuns } from '../../../src/storage/runs';
import { readWaits } from '../../../src/storage/waits';
import { readTree } from '../../../src/storage/tree';
import type { Browser } from './browser';
import type { SimulatedPage } from './page';
import { countWords, soundness } from './numbered-words';
import type { Request } from './talkative-model';

/** Refusals that a reader of a stale page has to expect: the message is not (or no longer) one that this can be done with. */
const EXPECTED_REFUSALS = new Set(['node-missing', 'node-not-editable', 'worker-died', 'call-not-pending']);

const ALL = { limit: 1000 } as const;

/** What was seen of a stored message. */
interface Seen {
  readonly text: string;
  readonly isFinal: boolean;
}

/** Watches a browser full of tabs and says what should never have been. */
export class Witness {
  readonly violations: string[] = [];
  readonly #database: JackdawDatabase;
  readonly #seen = new Map<string, Seen>();
  /** Text that a tab showed of an answer when it heard of its end. */
  readonly #shownAtEnd: { readonly tab: string; readonly nodeId: string; readonly text: string }[] = [];
  /** How many words of which request are on the disk already. */
  readonly #saved = new Map<number, number>();
  readonly #approved = new Set<string>();
  readonly #acknowledged = new Map<string, string | null>();
  #glance: Promise<readonly MessageNode[]> | undefined;
  /** Whether a tab was frozen that owned the conversation, or was about to: only then may one say that another does not react. */
  hasFrozenOwner = false;

  constructor(database: JackdawDatabase) {
    this.#database = database;
  }

  /** The model is asked: nobody else may be asking for this conversation, and the worker must own it. */
  requested(request: Request, browser: Browser): void {
    // One whose locks were taken while it slept can't know it; what matters is that nothing of it is stored.
    if (browser.isRobbed(request.worker)) return;
    const others = browser.model.open.filter(
      (other) => other.conversationId === request.conversationId && other !== request && !browser.isRobbed(other.worker),
    );
    if (others.length > 0) this.#say(`two runs at once: requests ${request.number} and ${others.map((other) => other.number).join()}`);
    const owner = browser.locks.holderOf(runLock(request.conversationId));
    if (owner !== request.worker) this.#say(`${request.worker} asks while ${owner ?? 'nobody'} owns the conversation`);
  }

  /** A command was answered: this message (with these words, where they are the user's) must be stored from now on. */
  acknowledged(nodeId: string, text: string | null): void {
    this.#acknowledged.set(nodeId, text);
  }

  /** The user has said yes to a call, or is about to. */
  approved(callId: string): void {
    this.#approved.add(callId);
  }

  /** More than a second has passed since this was said: it is stored, whatever becomes of who asked. */
  saved(request: Request): void {
    this.#saved.set(request.number, request.said);
  }

  shown(tab: string, live: LiveRun): void {
    const fault = soundness(textOf(live.parts));
    if (fault !== null) this.#say(`${tab} shows ${fault}`);
  }

  ended(tab: string, end: RunEnd, live: LiveRun | null): void {
    // Of a killed worker's answer the last second may be gone.
    if (live?.runId !== end.runId || end.error?.code === 'interrupted') return;
    this.#shownAtEnd.push({ tab, nodeId: end.nodeId, text: textOf(live.parts) });
  }

  refused(tab: string, command: string, error: unknown): void {
    if (error instanceof AppError && command !== 'watch' && EXPECTED_REFUSALS.has(error.code)) return;
    if (this.hasFrozenOwner && error instanceof AppError && error.code === 'owner-silent' && error.details['frozen'] === true) return;
    const reason = error instanceof AppError ? `${error.code} ${JSON.stringify(error.details)}` : String(error);
    this.#say(`${tab}: ${command} failed: ${isAbort(error) ? 'aborted' : reason}`);
  }

  noticed(tab: string, { error }: Events['notice']): void {
    this.#say(`${tab} is told of a failure: ${error.code} ${JSON.stringify(error.details)}`);
  }

  /** The stored branch as it is now or was a moment ago: pages that ask at the same time share one reading. */
  glance(conversationId: string): Promise<readonly MessageNode[]> {
    this.#glance ??= this.readBranch(conversationId).finally(() => (this.#glance = undefined));
    return this.#glance;
  }

  /** The stored branch; what it says is remembered. */
  async readBranch(conversationId: string): Promise<readonly MessageNode[]> {
    const nodes = (await readBranch(this.#database, conversationId, ALL))?.nodes ?? [];
    for (const node of nodes) this.#seen.set(node.id, { text: textOf(partsOf(node)), isFinal: node.status !== 'running' });
    return nodes;
  }

  /** Nothing is on its way: a run that goes on is shown by every tab, as far as it is, and one that doesn't by none. */
  async allShowTheSame(conversationId: string, pages: readonly SimulatedPage[]): Promise<void> {
    const row = await readRun(this.#database, conversationId);
    const texts = new Set<string>();
    for (const { name, shown } of pages) {
      if (shown === null) continue;
      const runId = shown.live === null || shown.live.ended ? undefined : shown.live.runId;
      if (runId !== row?.runId) this.#say(`${name} shows ${runId ?? 'no run'} while ${row?.runId ?? 'none'} goes on`);
      if (shown.live !== null && runId !== undefined) texts.add(textOf(shown.live.parts));
    }
    if (texts.size > 1) this.#say(`tabs show different texts of one run: ${[...texts].join(' / ')}`);
  }

  /** All that is awake is at rest while others sleep: nobody waits for a tab that does not react. */
  nobodyWaits(pages: readonly SimulatedPage[]): void {
    for (const page of pages) if (page.pending > 0) this.#say(`${page.name} waits for ${page.pending} commands`);
  }

  /** Everything at rest: what the tabs show, what is stored, and what is left open. */
  async atRest(browser: Browser, conversationId: string, pages: readonly SimulatedPage[]): Promise<void> {
    for (const row of await readRuns(this.#database)) this.#say(`a run row is left, of node ${row.nodeId}`);
    for (const lock of browser.locks.held) if (lock.startsWith('run:')) this.#say(`${lock} is still held`);
    for (const request of browser.model.open) this.#say(`request ${request.number} never ended`);
    const before = new Map(this.#seen);
    const branch = await this.readBranch(conversationId);
    this.#branchIsSound(branch);
    const nodes = await this.#everyNode(conversationId);
    this.#nothingIsLost(before, nodes);
    for (const node of nodes.values()) this.#isClosed(node);
    this.#answersAreWhole(browser, nodes);
    await this.#callsAreSound(browser, conversationId, nodes);
    this.nobodyWaits(pages);
    for (const page of pages) this.#agrees(page, branch);
  }

  async #everyNode(conversationId: string): Promise<ReadonlyMap<string, MessageNode>> {
    const tree = await readTree(this.#database, conversationId);
    this.#treeIsSound(tree);
    const nodes = await Promise.all(tree.entries.map((entry) => readNode(this.#database, conversationId, entry.id)));
    return new Map(nodes.flatMap((node) => (node === undefined ? [] : [[node.id, node]])));
  }

  #treeIsSound(tree: Tree): void {
    for (const entry of tree.entries) {
      if (entry.parent !== ROOT && (entry.parent < 0 || entry.parent >= entry.ordinal)) this.#say(`${entry.id} stands before its parent`);
      if (!tree.siblings(entry.ordinal).includes(entry.ordinal)) this.#say(`${entry.id} is no child of its parent`);
      if (entry.status === 'deleted') this.#say(`${entry.id} was deleted by nobody`);
    }
    const ids = new Set(tree.entries.map((entry) => entry.id));
    if (ids.size !== tree.entries.length) this.#say('a node stands in the tree twice');
  }

  #branchIsSound(branch: readonly MessageNode[]): void {
    branch.forEach((node, index) => {
      if (node.parentId !== (branch[index - 1]?.id ?? null)) this.#say(`${node.id} does not follow its parent`);
      if (!node.siblings.includes(node.id)) this.#say(`${node.id} is not among its siblings`);
    });
  }

  #nothingIsLost(before: ReadonlyMap<string, Seen>, nodes: ReadonlyMap<string, MessageNode>): void {
    const textNow = (id: string): string | undefined => {
      const node = nodes.get(id);
      return node === undefined ? undefined : textOf(partsOf(node));
    };
    for (const [id, seen] of before) {
      const now = textNow(id);
      if (now === undefined) this.#say(`node ${id} disappeared`);
      else if (seen.isFinal && !now.startsWith(seen.text)) this.#say(`node ${id} said “${seen.text}” and now “${now}”`);
    }
    for (const [id, text] of this.#acknowledged) {
      const now = textNow(id);
      if (now === undefined) this.#say(`node ${id} was acknowledged and is not stored`);
      else if (text !== null && now !== text) this.#say(`“${text}” was sent, “${now}” is stored`);
    }
    for (const { tab, nodeId, text } of this.#shownAtEnd) {
      const now = textNow(nodeId) ?? '';
      if (!now.includes(text)) this.#say(`${tab} showed “${text}” at the end of ${nodeId}, “${now}” is stored`);
    }
    const words = [...nodes.values()].filter((node) => node.role === 'user').map((node) => textOf(partsOf(node)));
    for (const text of new Set(words)) if (words.indexOf(text) !== words.lastIndexOf(text)) this.#say(`“${text}” is stored twice`);
  }

  #isClosed(node: MessageNode): void {
    if (node.status === 'running') this.#say(`node ${node.id} is left running`);
    for (const part of partsOf(node)) if (isOpen(part, node)) this.#say(`node ${node.id}, ${node.status}, has an open ${part.type}`);
    if (node.status === 'awaiting' && !partsOf(node).some(isPending)) this.#say(`node ${node.id} waits for nothing`);
    for (const { startedAt = 0, firstOutputAt = startedAt, endedAt = firstOutputAt, parts } of node.steps) {
      const isBackwards = parts.some((part) => part.type === 'reasoning' && (part.endedAt ?? Infinity) < part.startedAt);
      if (firstOutputAt < startedAt || endedAt < firstOutputAt || isBackwards) this.#say(`node ${node.id} ran backwards in time`);
    }
  }

  /** Nothing ran without the user's word where that is needed, nothing ran twice, and what waits is found. */
  async #callsAreSound(browser: Browser, conversationId: string, nodes: ReadonlyMap<string, MessageNode>): Promise<void> {
    const ran = new Set<string>();
    for (const { name, callId } of browser.toolRuns) {
      if (name === 'pay' && !this.#approved.has(callId)) this.#say(`call ${callId} ran without the user's word`);
      if (ran.has(callId)) this.#say(`call ${callId} ran twice`);
      ran.add(callId);
    }
    const calls = [...nodes.values()].flatMap((node) => partsOf(node).flatMap((part) => (part.type === 'tool' ? [part] : [])));
    for (const call of calls) {
      if (call.execution === 'done' && !ran.has(call.callId)) this.#say(`call ${call.callId} is done and never ran`);
      if (call.approval === 'denied' && ran.has(call.callId)) this.#say(`call ${call.callId} was denied and ran`);
    }
    const pending = calls.filter(isPending).map(({ callId }) => callId);
    const waits = (await readWaits(this.#database)).filter((wait) => wait.conversationId === conversationId).map(({ callId }) => callId);
    if (pending.sort().join() !== waits.sort().join()) this.#say(`${pending.join()} wait, and ${waits.join()} are known to wait`);
  }

  /** What a request said stands in one node, all of it unless its worker was killed, and in order. */
  #answersAreWhole(browser: Browser, nodes: ReadonlyMap<string, MessageNode>): void {
    const found = new Map<number, MessageNode>();
    for (const node of nodes.values()) {
      const text = textOf(partsOf(node));
      const fault = soundness(text);
      if (fault !== null) this.#say(`node ${node.id} says ${fault}`);
      for (const request of countWords(text).keys()) {
        if (found.has(request)) this.#say(`the words of request ${request} stand in two nodes`);
        found.set(request, node);
      }
    }
    for (const request of browser.model.requests) {
      const node = found.get(request.number);
      const stored = node === undefined ? 0 : (countWords(textOf(partsOf(node))).get(request.number) ?? 0);
      const mayBeCut = request.life.isDead || browser.isRobbed(request.worker);
      const least = mayBeCut ? (this.#saved.get(request.number) ?? 0) : request.said;
      if (stored < least || stored > request.said) {
        this.#say(`request ${request.number} said ${request.said} words, ${least} of them for certain, ${stored} are stored`);
      }
    }
  }

  #agrees(page: SimulatedPage, branch: readonly MessageNode[]): void {
    const { shown } = page;
    if (shown === null) return;
    shown.read(branch);
    const { live } = shown;
    // Once it ended it lies over the same words; when it goes is the page's own affair.
    if (live !== null && !live.ended) this.#say(`${page.name} still shows a run of ${live.nodeId}`);
  }

  #say(violation: string): void {
    this.violations.push(violation);
  }
}

/** A call may be open while its answer waits for the user, and where it was interrupted before it ran: then it runs when the answer goes on. */
function isOpen(part: Part, node: MessageNode): boolean {
  if (part.type === 'reasoning') return part.endedAt === undefined;
  if (part.type !== 'tool') return false;
  const isKept = node.status === 'awaiting' || (node.status === 'interrupted' && node.steps.at(-1)?.finishReason !== undefined);
  return part.execution === 'running' || (part.execution === 'open' && !isKept);
}
