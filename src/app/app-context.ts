import { createContext } from 'svelte';
import type { JackdawDatabase } from '../storage/db';
import type { Engine } from './engine';
import type { Texts } from './locales';
import type { CatalogState } from './state/catalog.svelte';
import type { ConversationListState } from './state/conversations.svelte';
import type { NoticesState } from './state/notices.svelte';
import type { RouterState } from './state/router.svelte';
import type { SettingsState } from './state/settings.svelte';
import type { ToolTextsState } from './state/tool-texts.svelte';

/** What every component below `App.svelte` may reach. State classes receive what they need; they never import each other. */
export interface AppContext {
  readonly database: JackdawDatabase;
  readonly engine: Engine;
  readonly settings: SettingsState;
  readonly catalog: CatalogState;
  readonly conversations: ConversationListState;
  readonly notices: NoticesState;
  readonly router: RouterState;
  /** The current language; read `app.texts.current` in templates so that a change of language redraws. */
  readonly texts: { readonly current: Texts };
  /** What is said about tools; fetched with the first reader. */
  readonly toolTexts: Pick<ToolTextsState, 'current'>;
}

export const [getApp, setApp] = createContext<AppContext>();
