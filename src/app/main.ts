import { AppError, toErrorData, type ErrorCode } from '../core/errors';
import type { JackdawDatabase } from '../storage/db';
import { deviceId } from '../storage/meta';
import { openDatabase } from '../storage/open';
import type { AppContext } from './app-context';
import { Engine } from './engine';
import { loadTexts, type Texts } from './locales';
import { pageCalls } from './page-calls';
import { notifyOfAnswers } from './page-calls/answer-notification';
import { keepDataOfInstalledApp } from './page-calls/persistence';
import { registerServiceWorker, whenIdle } from './register-service-worker';
import { Screen } from './screen';
import { CatalogState } from './state/catalog.svelte';
import { ConversationListState } from './state/conversations.svelte';
import { keptMark } from './state/kept-mark';
import { NoticesState, type NoticeAction } from './state/notices.svelte';
import { paint, readPaintHint } from './state/paint';
import { RouterState } from './state/router.svelte';
import { SettingsState } from './state/settings.svelte';
import { TextsState } from './state/texts.svelte';
import { ToolTextsState } from './state/tool-texts.svelte';
import './styles/tokens.css';
import './styles/base.css';

/** Where nothing but a new start helps. */
const RELOAD_HELPS: ReadonlySet<ErrorCode> = new Set(['storage-outdated', 'storage-gone', 'storage-closed']);

const storage = (): Storage => window.localStorage;
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const isPseudo = new URLSearchParams(location.search).get('pseudo') === '1';
const hint = readPaintHint(storage);
paint(document.documentElement, hint, systemDark.matches);

const root = document.querySelector('#app');
if (root !== null) void start(root);

/** Everything in order: texts and database side by side, then the page; the worker loads meanwhile and nothing waits for it. */
async function start(target: Element): Promise<void> {
  const engine = new Engine(pageCalls);
  engine.start();
  const screen = new Screen(target);
  let texts: Texts | undefined;
  try {
    const loading = loadTexts(hint.language, navigator.languages, isPseudo);
    const tellBlocked = (): void =>
      void loading.then(({ shell }) => screen.showMessage({ title: shell.blockedTitle, advice: shell.blockedAdvice }));
    // Of two that wait for the same database only the first one hears that it is held back, and that may be the worker.
    const unlisten = engine.listen((name, payload) => {
      if (name === 'notice' && 'error' in payload && payload.error?.code === 'storage-blocked') tellBlocked();
    });
    // The page stays as it is, with the words in its composer: it may show the last copy of what is lost.
    let tellLost = (code: ErrorCode): void => void loading.then((loaded) => showFailure(screen, loaded, new AppError(code)));
    const opening = openDatabase({
      onBlocked: tellBlocked,
      onOutdated: () => tellLost('storage-outdated'),
      onGone: () => tellLost('storage-gone'),
    });
    // Awaited below; a failure before that must not count as unheard.
    opening.catch(() => undefined);
    texts = await loading;
    const database = await opening;
    unlisten();
    const device = await deviceId(database, () => crypto.randomUUID());
    const context = createContext(database, engine, texts, device);
    screen.showApp(context);
    tellLost = (code) => context.notices.fail(new AppError(code));
    keepDataOfInstalledApp(window, navigator.storage);
    whenIdle(() => void lookForEmptied(context));
    if (import.meta.env.VITE_BENCH === '1') {
      const asked = new URLSearchParams(location.search);
      if (asked.get('bench') === '1') await (await import('./bench/functions')).exposeBench(context);
      if (asked.get('floor') === '1') await (await import('./bench/floor.svelte')).exposeFloor(context);
    }
  } catch (error) {
    if (texts === undefined) target.textContent = 'Jackdaw could not be loaded. Please reload. / Jackdaw 未能加载,请刷新页面。';
    else showFailure(screen, texts, error);
  }
}

/** Looked at when idle: hardly anybody ever sees it. */
async function lookForEmptied(context: AppContext): Promise<void> {
  try {
    const { tellIfEmptied } = await import('./emptied-storage');
    await tellIfEmptied(context, keptMark(storage), hint);
  } catch (error) {
    context.notices.fail(error);
  }
}

function showFailure(screen: Screen, texts: Texts, error: unknown): void {
  const { code, details } = toErrorData(error);
  screen.showMessage({ ...texts.errors[code](details), action: reloadAction(texts, code) });
}

function createContext(database: JackdawDatabase, engine: Engine, loaded: Texts, device: string): AppContext {
  const notices = new NoticesState((code) => (RELOAD_HELPS.has(code) ? reloadAction(texts.current, code) : undefined));
  const onError = (error: unknown): void => {
    notices.fail(error);
  };
  const stamp = (): { at: number; device: string } => ({ at: Date.now(), device });
  const router = new RouterState(window);
  const texts = new TextsState(loaded, hint.language, { browserLanguages: navigator.languages, pseudo: isPseudo });
  const settings = new SettingsState({
    database,
    stamp,
    root: document.documentElement,
    systemDark,
    storage,
    onError,
    onLanguage: (language) => void texts.use(language).catch(onError),
  });
  settings.start();
  const conversations = new ConversationListState({ database, engine, stamp, onError });
  const catalog = new CatalogState(engine, onError);
  const toolTexts = new ToolTextsState(() => texts.current);

  engine.listen((name, payload) => {
    if (name === 'notice' && 'error' in payload && payload.error !== undefined) notices.failWith(payload.error);
  });
  engine.onRestart(onError);
  const context = { database, engine, settings, catalog, conversations, notices, router, texts, toolTexts };
  notifyOfAnswers(context);
  registerServiceWorker(context);
  return context;
}

function reloadAction(texts: Texts, code: ErrorCode): NoticeAction {
  // The version that made the data may still be waiting for this tab to go.
  return { label: texts.common.reload, run: code === 'storage-outdated' ? reloadNewest : reload };
}

function reloadNewest(): void {
  import('./updates/reload-into-newest').then(async ({ reloadIntoNewest }) => reloadIntoNewest(), reload);
}

function reload(): void {
  location.reload();
}
