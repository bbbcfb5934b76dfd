import type { Handlers, Listener } from '../../../src/bridge/rpc';
import type { AppContext } from '../../../src/app/app-context';
import { Engine } from '../../../src/app/engine';
import { loadTexts } from '../../../src/app/locales';
import { CatalogState } from '../../../src/app/state/catalog.svelte';
import { ConversationListState } from '../../../src/app/state/conversations.svelte';
import { NoticesState } from '../../../src/app/state/notices.svelte';
import { RouterState } from '../../../src/app/state/router.svelte';
import { SettingsState } from '../../../src/app/state/settings.svelte';
import { ToolTextsState } from '../../../src/app/state/tool-texts.svelte';
import { AppError } from '../../../src/core/errors';
import type { MessageNode, ModelReference, Part, StepContent } from '../../../src/core/node';
import type { Commands, Events } from '../../../src/core/protocol';
import type { RunDelta, RunEnd, RunSnapshot } from '../../../src/core/run';
import type { LanguageSetting } from '../../../src/core/settings';
import { createConversation, setTitle } from '../../../src/storage/conversations';
import type { JackdawDatabase } from '../../../src/storage/db';
import { openDatabase } from '../../../src/storage/open';
import { appendNodes, type NewNode } from '../../../src/storage/tree';

export const MODEL: ModelReference = { accountId: 'account-1', modelId: 'test-model' };
const CREATED_AT = 1_790_000_000_000;
let clock = CREATED_AT;

/** Each later than the one before. */
export function stamp(): { at: number; device: string } {
  clock += 1;
  return { at: clock, device: 'device-1' };
}

/** An engine whose worker is the test: it answers with `handlers` and says what it likes. */
export class FakeEngine extends Engine {
  readonly calls: { readonly name: string; readonly args: unknown }[] = [];
  handlers: { -readonly [K in keyof Commands]?: Handlers<Commands>[K] } = {};
  readonly #eventListeners = new Set<Listener<Events>>();
  readonly #deathListeners = new Set<(error: AppError) => void>();

  constructor() {
    super({
      'window-fetch': async () => Promise.reject(new AppError('internal')),
      'browser-model': async () => Promise.reject(new AppError('internal')),
    });
  }

  override async call<K extends keyof Commands>(name: K, args: Commands[K]['args']): Promise<Commands[K]['result']> {
    this.calls.push({ name, args });
    const handler = this.handlers[name];
    if (handler === undefined) throw new AppError('internal', { details: { unexpected: name } });
    return handler(args, { signal: new AbortController().signal });
  }

  override listen(listener: Listener<Events>): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  override onRestart(listener: (error: AppError) => void): () => void {
    this.#deathListeners.add(listener);
    return () => this.#deathListeners.delete(listener);
  }

  emit<K extends keyof Events>(name: K, payload: Events[K]): void {
    for (const listener of this.#eventListeners) listener(name, payload);
  }

  die(): void {
    for (const listener of this.#deathListeners) listener(new AppError('worker-died'));
  }

  callsOf(name: keyof Commands): readonly unknown[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.args);
  }
}

export interface FakeApp extends AppContext {
  readonly engine: FakeEngine;
}

/** The app's real states over a database of its own and a fake engine that answers what every page asks. */
export async function createFakeApp(language: LanguageSetting = 'en'): Promise<FakeApp> {
  const database = await openDatabase({ name: `chat-${crypto.randomUUID()}`, onBlocked: () => undefined, onOutdated: () => undefined });
  const engine = new FakeEngine();
  engine.handlers = {
    watch: async () => Promise.resolve(null),
    unwatch: async () => Promise.resolve(null),
    running: async () => Promise.resolve([]),
    capabilities: async () => Promise.resolve({ vision: true, tools: false, reasoning: false, contextTokens: null }),
    'list-models': async () => Promise.resolve([]),
  };
  const notices = new NoticesState();
  const onError = (error: unknown): void => {
    notices.fail(error);
  };
  const texts = { current: await loadTexts(language, [], false) };
  const settings = new SettingsState({
    database,
    stamp,
    root: document.documentElement,
    systemDark: matchMedia('(prefers-color-scheme: dark)'),
    storage: () => window.sessionStorage,
    onError,
    onLanguage: () => undefined,
  });
  settings.start();
  return {
    database,
    engine,
    notices,
    settings,
    texts,
    toolTexts: new ToolTextsState(() => texts.current),
    catalog: new CatalogState(engine, onError),
    conversations: new ConversationListState({ database, engine, stamp, onError }),
    router: new RouterState(window),
  };
}

export function text(words: string, step = 0): Part {
  return { type: 'text', step, text: words };
}

export function userNode(parentId: string | null, words: string, parts: readonly Part[] = []): NewNode {
  const steps: StepContent[] = [{ step: 0, parts: [...parts, text(words)] }];
  return { id: crypto.randomUUID(), parentId, role: 'user', status: 'complete', createdAt: stamp().at, tokens: 10, steps };
}

export function answerNode(parentId: string | null, step: Partial<StepContent>, status: MessageNode['status'] = 'complete'): NewNode {
  const steps: StepContent[] = status === 'running' ? [] : [{ step: 1, parts: [], model: MODEL, ...step }];
  return { id: crypto.randomUUID(), parentId, role: 'assistant', status, createdAt: stamp().at, tokens: 10, steps };
}

/** A conversation with these nodes, written as the worker would. Returns its id. */
export async function seedConversation(database: JackdawDatabase, nodes: readonly NewNode[], title = 'A conversation'): Promise<string> {
  const id = crypto.randomUUID();
  await createConversation(database, { id, assistantId: 'munin' }, stamp());
  await setTitle(database, id, title, 'local', stamp());
  await appendNodes(database, id, nodes, stamp());
  return id;
}

/** A straight branch of `pairs` questions and answers. */
export function dialogue(pairs: number): NewNode[] {
  const nodes: NewNode[] = [];
  for (let index = 0; index < pairs; index += 1) {
    nodes.push(userNode(nodes.at(-1)?.id ?? null, `Question ${index}`));
    const words = Array.from(
      { length: 6 },
      (_value, line) => `Answer ${index}, paragraph ${line}, with some words to fill a line of the page.`,
    );
    nodes.push(answerNode(nodes.at(-1)?.id ?? null, { parts: [text(words.join('\n\n'), 1)] }));
  }
  return nodes;
}

export function snapshot(conversationId: string, nodeId: string, changes: Partial<RunSnapshot> = {}): RunSnapshot {
  return {
    runId: 'run-1',
    conversationId,
    nodeId,
    revision: 1,
    phase: 'streaming',
    step: 1,
    parts: [],
    model: MODEL,
    startedAt: Date.now(),
    ...changes,
  };
}

export function delta(conversationId: string, nodeId: string, changes: Partial<RunDelta>): RunDelta {
  return {
    runId: 'run-1',
    conversationId,
    nodeId,
    revision: 2,
    phase: 'streaming',
    step: 1,
    startedAt: Date.now(),
    changes: [],
    ...changes,
  };
}

export function runEnd(conversationId: string, nodeId: string, changes: Partial<RunEnd> = {}): RunEnd {
  return {
    runId: 'run-1',
    conversationId,
    nodeId,
    status: 'complete',
    title: 'A conversation',
    excerpt: 'An answer',
    endedAt: Date.now(),
    ...changes,
  };
}
