import { mount, unmount } from 'svelte';
import App from './App.svelte';
import type { AppContext } from './app-context';
import FullPage from './ui/FullPage.svelte';

/** What fills the window: the app, or one sentence with the way out. */
export class Screen {
  readonly #target: Element;
  #shown: ReturnType<typeof mount> | undefined;

  constructor(target: Element) {
    this.#target = target;
  }

  showApp(context: AppContext): void {
    this.#clear();
    this.#shown = mount(App, { target: this.#target, props: { context } });
  }

  showMessage(props: { title: string; advice: string; action?: { label: string; run(): void } }): void {
    this.#clear();
    document.title = props.title;
    this.#shown = mount(FullPage, { target: this.#target, props });
  }

  #clear(): void {
    if (this.#shown !== undefined) void unmount(this.#shown);
    this.#shown = undefined;
  }
}
