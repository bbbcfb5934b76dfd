import { BROWSER_PROVIDER, newAccount, type Account } from '../../core/account';
import { findLanguageModel, TEXT_ONLY } from '../state/language-model';

/** The account of the browser's own model. It has no address and no key. */
export const BROWSER_ACCOUNT: Account = newAccount({
  id: BROWSER_PROVIDER,
  provider: BROWSER_PROVIDER,
  preset: BROWSER_PROVIDER,
  name: 'Browser',
  baseUrl: '',
});

/** `offered`: the browser says that it could, which only a session proves. `progress` of its download, 0 to 1. */
export type BrowserModelState =
  { readonly type: 'checking' | 'missing' | 'refused' | 'offered' | 'works' } | { readonly type: 'preparing'; readonly progress: number };

/** A share in newer browsers, bytes of bytes in older ones. */
function shareOf(event: Event): number {
  const loaded: unknown = Reflect.get(event, 'loaded');
  const total: unknown = Reflect.get(event, 'total');
  if (typeof loaded !== 'number') return 0;
  return Math.min(1, typeof total === 'number' && total > 0 ? loaded / total : loaded);
}

/** Whether the browser's own model can be had, and its setting up. */
export class BrowserModelSetup {
  readonly #model = findLanguageModel(window);
  #state = $state.raw<BrowserModelState>({ type: 'checking' });
  #controller: AbortController | undefined;

  get current(): BrowserModelState {
    return this.#state;
  }

  /** Asks the browser; nothing is fetched. */
  async check(): Promise<void> {
    const said = await this.#model?.availability(TEXT_ONLY).catch(() => 'unavailable');
    this.#state = { type: said === undefined || said === 'unavailable' ? 'missing' : 'offered' };
  }

  /** Makes a session, which may download gigabytes: to be called in a click. Resolves with whether the model works. */
  async prepare(): Promise<boolean> {
    const controller = new AbortController();
    this.#controller = controller;
    this.#state = { type: 'preparing', progress: 0 };
    try {
      const session = await this.#model?.create({
        ...TEXT_ONLY,
        signal: controller.signal,
        monitor: (monitor) => {
          monitor.addEventListener('downloadprogress', (event) => {
            if (!controller.signal.aborted) this.#state = { type: 'preparing', progress: shareOf(event) };
          });
        },
      });
      session?.destroy();
      this.#state = { type: session === undefined ? 'refused' : 'works' };
    } catch {
      // Why it refuses is not for people: it lacks space, memory, or the will.
      this.#state = { type: controller.signal.aborted ? 'offered' : 'refused' };
    }
    return this.#state.type === 'works';
  }

  cancel(): void {
    this.#controller?.abort();
  }
}
