import { createSubscriber } from 'svelte/reactivity';
import { hrefOf, parseRoute, type Route } from './route';

/** Where the reader is, kept in the URL's hash so that back, forward, reload and links work under any base path. */
export class RouterState {
  readonly #window: Window;
  readonly #track: () => void;
  #route: Route;
  #notify: () => void = () => undefined;

  constructor(browserWindow: Window) {
    this.#window = browserWindow;
    this.#route = parseRoute(browserWindow.location.hash);
    this.#track = createSubscriber((update) => {
      const read = (): void => {
        this.#route = parseRoute(this.#window.location.hash);
        update();
      };
      this.#notify = read;
      this.#window.addEventListener('hashchange', read);
      this.#window.addEventListener('popstate', read);
      // Nobody listened until now.
      this.#route = parseRoute(this.#window.location.hash);
      return () => {
        this.#notify = () => undefined;
        this.#window.removeEventListener('hashchange', read);
        this.#window.removeEventListener('popstate', read);
      };
    });
  }

  get current(): Route {
    this.#track();
    return this.#route;
  }

  /** Goes to a place; with `replace` the present one leaves the history (a new conversation that got its id). */
  go(route: Route, options: { readonly replace?: boolean } = {}): void {
    const href = hrefOf(route);
    if (href === hrefOf(parseRoute(this.#window.location.hash))) return;
    if (options.replace === true) this.#window.history.replaceState(null, '', href);
    else this.#window.history.pushState(null, '', href);
    this.#route = route;
    this.#notify();
  }
}
