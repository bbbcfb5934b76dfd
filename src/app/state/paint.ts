import { LANGUAGES, TEXT_SIZES, THEMES, type Settings } from '../../core/settings';

/** What the first paint needs, before the database can be asked. Only a copy: the truth is in the database. */
export interface PaintHint extends Pick<Settings, 'theme' | 'textSize' | 'language'> {
  /** Kept per window size class by nobody but this: whether the sidebar stands open on a wide window. */
  readonly sidebarOpen: boolean;
}

// `public/saved-theme.js` reads the first one before any style applies.
const THEME_KEY = 'jackdaw:theme';
const PAINT_KEY = 'jackdaw:paint';

/** The copy left by the last visit; defaults where there is none or storage is refused. */
export function readPaintHint(storage: () => Storage): PaintHint {
  const stored = readJson(storage);
  return {
    theme: THEMES.find((theme) => theme === stored['theme']) ?? 'auto',
    textSize: TEXT_SIZES.find((size) => size === stored['textSize']) ?? 'medium',
    language: LANGUAGES.find((language) => language === stored['language']) ?? 'auto',
    sidebarOpen: stored['sidebarOpen'] !== false,
  };
}

/** Leaves the copy for the next visit. Does nothing where storage is refused: the next first paint is then in default colours. */
export function writePaintHint(storage: () => Storage, hint: PaintHint): void {
  try {
    storage().setItem(PAINT_KEY, JSON.stringify(hint));
    if (hint.theme === 'auto') storage().removeItem(THEME_KEY);
    else storage().setItem(THEME_KEY, hint.theme);
  } catch {
    // Refused storage costs only the colours of the first moment.
  }
}

/** Puts theme and text size on the document; `auto` becomes what the system has now. */
export function paint(root: HTMLElement, hint: Pick<PaintHint, 'theme' | 'textSize'>, isSystemDark: boolean): void {
  const theme = hint.theme === 'auto' ? (isSystemDark ? 'dark' : 'light') : hint.theme;
  if (root.dataset['theme'] !== theme) root.dataset['theme'] = theme;
  if (root.dataset['textSize'] !== hint.textSize) root.dataset['textSize'] = hint.textSize;
}

function readJson(storage: () => Storage): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(storage().getItem(PAINT_KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
