import type { Engine } from '../engine';
import { hasUnsentWords } from './unsent-words';

const RELOADED_FOR = 'jackdaw:reloaded-for';

/**
 * After a deployment an open page may ask for a file that is gone. One reload a build brings the new one; a second would not help. Where it would
 * come upon an answer or someone writing, it is left to the place that wanted the file to say what is missing and what to do.
 */
export function reloadOnceWhenAFileIsGone(engine: Pick<Engine, 'call'>): void {
  window.addEventListener('vite:preloadError', () => {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED_FOR) === import.meta.url) return;
    // Who can't say whether something runs may have something running.
    void reloadIfQuiet(engine).catch(() => undefined);
  });
}

async function reloadIfQuiet(engine: Pick<Engine, 'call'>): Promise<void> {
  if ((await engine.call('running', {})).length > 0 || hasUnsentWords(document)) return;
  sessionStorage.setItem(RELOADED_FOR, import.meta.url);
  location.reload();
}
