import { toErrorData } from '../core/errors';
import type { JackdawDatabase } from '../storage/db';
import { deviceId } from '../storage/meta';
import { openDatabase } from '../storage/open';
import type { AppContext } from './app-context';
import { Engine } from './engine';
import { loadTexts, type Texts } from './locales';
import { pageCalls } from './page-calls';
import { notifyOfAnswers } from './page-calls/answer-notification';
import { registerServiceWorker } from './register-service-worker';
import { Screen } from './screen';
import { CatalogState } from './state/catalog.svelte';
import { ConversationListState } from './state/conversations.svelte';
import { NoticesState } from './state/notices.svelte';
import { paint, readPaintHint } from './state/paint';
import { RouterState } from './state/router.svelte';
import { SettingsState } from './state/settings.svelte';
import { TextsState } from './state/texts.svelte';
import './styles/tokens.css';
import './styles/base.css';

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
    const opening = openDatabase({
      onBlocked: tellBlocked,
      onOutdated: () =>
        void loading.then(({ shell, common }) =>
          screen.showMessage({ title: shell.outdatedTitle, advice: shell.outdatedAdvice, action: { label: common.reload, run: reload } }),
        ),
    });
    // Awaited below; a failure before that must not count as unheard.
    opening.catch(() => undefined);
    texts = await loading;
    const database = await opening;
    unlisten();
    const device = await deviceId(database, () => crypto.randomUUID());
    const context = createContext(database, engine, texts, device);
    screen.showApp(context);
    if (import.meta.env.VITE_BENCH === '1') {
      const asked = new URLSearchParams(location.search);
      if (asked.get('bench') === '1') await (await import('./bench/functions')).exposeBench(context);
      if (asked.get('floor') === '1') await (await import('./bench/floor.svelte')).exposeFloor(context);
    }
  } catch (error) {
    if (texts === undefined) target.textContent = 'Jackdaw could not be loaded. Please reload. / Jackdaw 未能加载,请刷新页面。';
    else {
      const { code, details } = toErrorData(error);
      screen.showMessage({ ...texts.errors[code](details), action: { label: texts.common.reload, run: reload } });
    }
  }
}

function createContext(database: JackdawDatabase, engine: Engine, loaded: Texts, device: string): AppContext {
  const notices = new NoticesState();
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

  engine.listen((name, payload) => {
    if (name === 'notice' && 'error' in payload && payload.error !== undefined) notices.failWith(payload.error);
  });
  engine.onRestart(onError);
  offerUpdates(engine, texts, notices);
  const context = { database, engine, settings, catalog, conversations, notices, router, texts };
  notifyOfAnswers(context);
  return context;
}

/** An update is offered, never forced, and waits for the end of every answer: applying it reloads the page. */
function offerUpdates(engine: Engine, texts: TextsState, notices: NoticesState): void {
  registerServiceWorker((apply) => {
    const applyWhenQuiet = async (): Promise<void> => {
      if ((await engine.call('running', {})).length === 0) {
        await apply();
        return;
      }
      notices.show(texts.current.shell.updateWaits, { key: 'update' });
      const stop = engine.listen((name) => {
        if (name !== 'run-end') return;
        stop();
        void applyWhenQuiet();
      });
    };
    const { updateReady, updateApply } = texts.current.shell;
    notices.show(updateReady, { key: 'update', durationMs: null, action: { label: updateApply, run: applyWhenQuiet } });
  });
}

function reload(): void {
  location.reload();
}
