import { isPending, partsOf, type MessageNode } from '../../../src/core/node';
import type { Decision } from '../../../src/core/tool';
import { runLock } from '../../../src/generation/sessions';
import { conversationOfSend } from '../../../src/worker/commands/send';
import { between } from '../random';
import { Browser } from './browser';
import { EventLoop, turns } from './event-loop';
import { SimulatedPage } from './page';
import { Witness } from './witness';
import type { JackdawDatabase } from '../../../src/storage/db';

const TABS = 3;
/** First digit of the ids that pages make. */
const PAGE_IDS = 1;
const HOUR_MS = 3_600_000;

/** What is done, and how often in proportion. */
const ACTIONS = {
  send: 6,
  stop: 3,
  regenerate: 3,
  edit: 3,
  continue: 2,
  decide: 6,
  switch: 2,
  open: 2,
  close: 1,
  look: 1,
  kill: 1,
  killWorker: 1,
  killAtEnd: 1,
  killAsked: 2,
  killSaved: 1,
  rob: 1,
  freeze: 2,
  thaw: 1,
  setClock: 1,
  compare: 2,
} as const;
type Action = keyof typeof ACTIONS;

/** What a page can ask only of a conversation that it shows. */
const ASKED_OF_A_CONVERSATION: ReadonlySet<Action> = new Set([
  'send',
  'stop',
  'regenerate',
  'edit',
  'continue',
  'decide',
  'switch',
  'look',
  'killAsked',
]);

export interface Outcome {
  readonly violations: readonly string[];
  /** What was done, in order. */
  readonly log: readonly string[];
  /** How often which action was taken. */
  readonly actions: ReadonlyMap<string, number>;
}

/** One random interleaving over three tabs, from the first message to the rest after it, and what was wrong with it. */
export async function runInterleaving(
  database: JackdawDatabase,
  { serial, random }: { serial: number; random: () => number },
): Promise<Outcome> {
  const interleaving = new Interleaving(database, serial, random);
  await interleaving.play();
  return interleaving.outcome();
}

class Interleaving {
  readonly #random: () => number;
  readonly #browser: Browser;
  readonly #loop: EventLoop;
  readonly #witness: Witness;
  readonly #log: string[] = [];
  readonly #actions = new Map<string, number>();
  readonly #firstMessageId: string;
  readonly #conversationId: string;
  #pages: SimulatedPage[] = [];
  readonly #closing = new Set<SimulatedPage>();
  #opened = 0;
  #said = 0;
  /** The first message was acknowledged. */
  #isKnown = false;

  constructor(database: JackdawDatabase, serial: number, random: () => number) {
    this.#random = random;
    this.#witness = new Witness(database);
    this.#browser = new Browser({
      databaseName: database.name,
      serial,
      random,
      onRequest: (request) => this.#witness.requested(request, this.#browser),
    });
    this.#loop = new EventLoop(this.#browser, random, () => this.#pages.map((page) => page.worker));
    this.#firstMessageId = this.#browser.newId(PAGE_IDS);
    this.#conversationId = conversationOfSend({
      conversationId: null,
      messageId: this.#firstMessageId,
      draft: { text: '', attachments: [] },
      answer: true,
      model: null,
    });
  }

  async play(): Promise<void> {
    for (let tab = 0; tab < TABS; tab++) this.#open();
    void this.#sendFirst(this.#somePage());
    const steps = between(this.#random, 15, 45);
    for (let step = 0; step < steps; step++) await this.#step();
    this.#note('rest');
    await this.#rest();
    this.#witness.nobodyWaits(this.#pages.filter((page) => page.life.isAwake));
    for (const page of this.#pages) this.#thaw(page);
    await this.#rest();
    if (this.#pages.length === 0) {
      this.#open();
      await this.#rest();
    }
    await this.#witness.atRest(this.#browser, this.#conversationId, this.#pages);
    for (const page of this.#pages) page.kill();
  }

  outcome(): Outcome {
    return { violations: this.#witness.violations, log: this.#log, actions: this.#actions };
  }

  async #step(): Promise<void> {
    const dice = this.#random();
    if (dice < 0.25) await this.#act(this.#someAction());
    else if (dice < 0.5) this.#loop.speak();
    else if (dice < 0.55) this.#browser.clock.advance(between(this.#random, 1, 300));
    else if (dice < 0.6) {
      // Mail that took seconds would look like a tab that is frozen.
      while (await this.#loop.deliver());
      this.#browser.clock.advance(between(this.#random, 300, 6000));
    }
    for (let mail = between(this.#random, 0, 6); mail > 0; mail--) await this.#loop.deliver();
    await turns(between(this.#random, 0, 8));
    this.#bury();
  }

  async #rest(): Promise<void> {
    if (!(await this.#loop.rest())) this.#witness.violations.push('it never came to rest');
    this.#bury();
  }

  async #act(action: Action): Promise<void> {
    this.#actions.set(action, (this.#actions.get(action) ?? 0) + 1);
    if (action === 'open') {
      if (this.#pages.length < TABS) this.#open();
      return;
    }
    const page = this.#somePage();
    if (page === undefined) return;
    if (page.shown === null && ASKED_OF_A_CONVERSATION.has(action)) {
      // Nobody has seen the conversation yet: its first message is all that there is to send, perhaps for the second time.
      if (action === 'send') void this.#sendFirst(page);
      return;
    }
    const node = this.#some(page.shown?.nodes ?? []);
    switch (action) {
      case 'send':
        return void this.#send(page);
      case 'stop':
        return void this.#run(page, 'stop', { conversationId: this.#conversationId });
      case 'regenerate':
        return void (node !== undefined && this.#regenerate(page, node));
      case 'edit':
        return void (node !== undefined && this.#edit(page, node));
      case 'continue':
        return void this.#continue(page);
      case 'decide':
        return void this.#decide(page);
      case 'switch':
        return this.#switch(page, node);
      case 'close':
        return void this.#close(page);
      case 'kill':
        return this.#kill(page);
      case 'killWorker':
        this.#note(`kill the worker of ${page.name}`);
        return page.killWorker();
      case 'killAtEnd':
        return this.#killAtEnd();
      case 'killAsked':
        return this.#killAsked(page, node);
      case 'killSaved':
        return this.#killSaved();
      case 'look':
        return page.look();
      case 'freeze':
        return this.#freeze(this.#random() < 0.5 ? page : (this.#owner() ?? page));
      case 'rob':
        return this.#rob(page);
      case 'thaw':
        return this.#thaw(this.#some(this.#pages.filter((one) => one.life.isFrozen)));
      case 'setClock':
        return this.#setClock();
      case 'compare':
        return this.#compare();
    }
  }

  #open(): void {
    const page = new SimulatedPage(this.#browser, 'abcdefghijklmnopqrstuvwxyz'[this.#opened++] ?? 'z', this.#witness);
    this.#note(`open ${page.name}`);
    this.#pages.push(page);
    if (this.#isKnown) page.open(this.#conversationId);
  }

  async #sendFirst(page: SimulatedPage | undefined): Promise<void> {
    if (page === undefined) return;
    this.#note(`${page.name} sends the first message`);
    const text = 'said first';
    const draft = { text, attachments: [] };
    const args = { conversationId: null, messageId: this.#firstMessageId, draft, answer: true, model: null };
    const result = await page.run('send', args);
    if (result === null) return;
    this.#witness.acknowledged(result.nodeId, text);
    this.#isKnown = true;
    for (const other of this.#pages) other.open(this.#conversationId);
  }

  async #send(page: SimulatedPage): Promise<void> {
    const text = this.#words('said');
    const answer = this.#random() < 0.9;
    const messageId = this.#browser.newId(PAGE_IDS);
    this.#note(`${page.name} sends “${text}”${answer ? '' : ' without an answer'}`);
    const draft = { text, attachments: [] };
    const result = await page.run('send', { conversationId: this.#conversationId, messageId, draft, answer, model: null });
    if (result !== null) this.#witness.acknowledged(result.nodeId, text);
  }

  async #edit(page: SimulatedPage, node: MessageNode): Promise<void> {
    const text = this.#words('edited');
    this.#note(`${page.name} edits a message of the ${node.role} to “${text}”`);
    const draft = { text, attachments: [] };
    const args = { conversationId: this.#conversationId, nodeId: node.id, draft, answer: this.#random() < 0.8, model: null };
    const result = await page.run('edit', args);
    if (result !== null) this.#witness.acknowledged(result.nodeId, node.role === 'user' ? text : null);
  }

  async #regenerate(page: SimulatedPage, node: MessageNode): Promise<void> {
    const result = await this.#run(page, 'regenerate', { conversationId: this.#conversationId, nodeId: node.id, model: null });
    if (result !== null && result.answerId !== null) this.#witness.acknowledged(result.answerId, null);
  }

  async #continue(page: SimulatedPage): Promise<void> {
    const node = page.shown?.nodes.findLast((one) => one.status === 'interrupted' || one.status === 'failed');
    if (node !== undefined) await this.#run(page, 'continue', { conversationId: this.#conversationId, nodeId: node.id });
  }

  /** A word about something that waits, now and then the same word twice, or two against each other. */
  async #decide(page: SimulatedPage): Promise<void> {
    const node = this.#some((page.shown?.nodes ?? []).filter(({ status }) => status === 'awaiting'));
    const call = this.#some(node === undefined ? [] : partsOf(node).filter(isPending));
    if (node === undefined || call === undefined) return;
    const decision = this.#decision();
    if (decision.type === 'approve') this.#witness.approved(call.callId);
    this.#note(`${page.name}: ${decision.type} ${call.callId.slice(-4)}`);
    await page.run('decide', { conversationId: this.#conversationId, nodeId: node.id, callId: call.callId, decision });
  }

  #decision(): Decision {
    const dice = this.#random();
    if (dice < 0.6) return { type: 'approve', scope: 'once' };
    if (dice < 0.7) return { type: 'approve', scope: 'once', argumentsText: '{"less":true}' };
    return { type: 'deny', scope: 'once', reason: '' };
  }

  #switch(page: SimulatedPage, node: MessageNode | undefined): void {
    const sibling = this.#some(node?.siblings ?? []);
    if (sibling !== undefined) void this.#run(page, 'select', { conversationId: this.#conversationId, nodeId: sibling });
  }

  /** In order: the reader waits for what was asked, and then goes. Nothing of the tab is left. */
  async #close(page: SimulatedPage): Promise<void> {
    this.#note(`close ${page.name}`);
    this.#closing.add(page);
    await page.run('unwatch', { conversationId: this.#conversationId });
    while (page.pending > 0 && !page.life.isDead) await turns(1);
    page.kill();
  }

  #kill(page: SimulatedPage): void {
    this.#note(`kill ${page.name}`);
    page.kill();
    this.#bury();
  }

  #bury(): void {
    this.#pages = this.#pages.filter((page) => !page.life.isDead);
  }

  #freeze(page: SimulatedPage): void {
    this.#note(`freeze ${page.name}`);
    if (page.pending > 0 || page === this.#owner()) this.#witness.hasFrozenOwner = true;
    page.freeze(false);
  }

  /** The browser gives a frozen owner's locks to others, who go on where it was; then it thaws and knows nothing of that. */
  async #rob(page: SimulatedPage): Promise<void> {
    const owner = this.#owner();
    if (owner?.life.isAwake !== true || owner === page || this.#closing.has(owner)) return;
    this.#note(`freeze ${owner.name} and take its locks`);
    owner.freeze(true);
    await this.#loop.quiet();
    if (page.shown !== null && this.#random() < 0.7) void this.#send(page);
    for (let task = between(this.#random, 0, 60); task > 0; task--) await this.#loop.deliver();
    this.#thaw(owner);
    for (let piece = between(this.#random, 0, 3); piece > 0; piece--) this.#loop.speak();
    this.#browser.clock.advance(between(this.#random, 0, 1000));
  }

  #thaw(page: SimulatedPage | undefined): void {
    if (page?.life.isFrozen !== true || page.life.isDead) return;
    this.#note(`thaw ${page.name}`);
    page.thaw();
  }

  #setClock(): void {
    const hours = between(this.#random, -12, 12);
    this.#note(`set the clock by ${hours} h`);
    this.#browser.clock.now += hours * HOUR_MS;
  }

  /** Once everything has arrived all tabs show the same of a run that goes on. */
  async #compare(): Promise<void> {
    if (this.#pages.some((page) => page.life.isFrozen)) return;
    this.#note('compare');
    await this.#loop.quiet();
    // Longer than two publishes are apart.
    this.#browser.clock.advance(200);
    await this.#loop.quiet();
    this.#bury();
    // One that is closing looks no more.
    const looking = this.#pages.filter((page) => !this.#closing.has(page));
    await this.#witness.allShowTheSame(this.#conversationId, looking);
  }

  /** The worst moment: the answer is complete, and its end not yet stored, or stored and not yet told. */
  async #killAtEnd(): Promise<void> {
    const request = this.#some(this.#browser.model.open);
    const page = this.#owner();
    if (request === undefined || page?.worker.name !== request.worker) return;
    request.script.splice(0, request.script.length - 1);
    while (!request.isOver && this.#loop.speak()) await turns(1);
    await turns(between(this.#random, 0, 40));
    if (this.#pages.includes(page)) this.#kill(page);
  }

  /** An owner dies while it does, or has just done, what another tab asked. */
  async #killAsked(page: SimulatedPage, node: MessageNode | undefined): Promise<void> {
    const owner = this.#owner();
    if (node === undefined || owner === undefined || owner === page) return;
    void (this.#random() < 0.6 ? this.#edit(page, node) : this.#regenerate(page, node));
    for (let task = between(this.#random, 5, 60); task > 0; task--) await this.#loop.deliver();
    if (!owner.life.isDead) this.#kill(owner);
  }

  /** What was said a second ago outlives whoever asked. */
  async #killSaved(): Promise<void> {
    const owner = this.#owner();
    if (owner?.life.isAwake !== true) return;
    for (let step = 0; step < 6; step++) {
      await this.#loop.quiet();
      this.#browser.clock.advance(200);
    }
    await this.#loop.quiet();
    for (const request of this.#browser.model.open) if (request.worker === owner.worker.name) this.#witness.saved(request);
    if (!owner.life.isDead) this.#kill(owner);
  }

  #owner(): SimulatedPage | undefined {
    const name = this.#browser.locks.holderOf(runLock(this.#conversationId));
    return this.#pages.find((page) => page.worker.name === name);
  }

  async #run<K extends 'stop' | 'regenerate' | 'continue' | 'select'>(
    page: SimulatedPage,
    name: K,
    args: Parameters<typeof page.run<K>>[1],
  ) {
    this.#note(`${page.name}: ${name}`);
    return page.run(name, args);
  }

  #words(kind: string): string {
    return `${kind} ${++this.#said}`;
  }

  #somePage(): SimulatedPage | undefined {
    return this.#some(this.#pages.filter((page) => page.life.isAwake && !this.#closing.has(page)));
  }

  #some<T>(list: readonly T[]): T | undefined {
    return list[between(this.#random, 0, list.length - 1)];
  }

  #someAction(): Action {
    const names = Object.keys(ACTIONS).filter((name): name is Action => name in ACTIONS);
    let dice = this.#random() * names.reduce((sum, name) => sum + ACTIONS[name], 0);
    return names.find((name) => (dice -= ACTIONS[name]) < 0) ?? 'send';
  }

  #note(what: string): void {
    this.#log.push(what);
  }
}
