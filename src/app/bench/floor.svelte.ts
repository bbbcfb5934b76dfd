import { mount } from 'svelte';
import type { AppContext } from '../app-context';
import { markdownView } from '../chat/lazy-components';
import { splitText } from '../markdown/split';
import FloorPage from './FloorPage.svelte';

/** What the floor page shows. */
export class FloorText {
  text = $state('');
  isWhole = $state(false);
}

/** A token in characters, as the bench's server cuts them. */
const TOKEN_CHARACTERS = 4;

/**
 * What the app's figures are compared with: a page on which the same renderer draws the same text, every block once and only when it is whole.
 * No worker, no store, no thread. In the place of the app, until the page is loaded anew.
 */
export async function exposeFloor(app: AppContext): Promise<void> {
  await markdownView.load();
  const show = (): FloorText => {
    const floor = new FloorText();
    document.body.replaceChildren();
    mount(FloorPage, { target: document.body, props: { floor, labels: app.texts.current.markdown } });
    return floor;
  };
  window.__floor = {
    /** All blocks at once. */
    draw(text) {
      const floor = show();
      floor.text = text;
      floor.isWhole = true;
    },
    /** Each block once its last character would have come at this speed. Resolves with the last one. */
    async pace(text, tokensPerSecond) {
      const floor = show();
      const begunAt = performance.now();
      const { finished, unfinished } = splitText(text);
      for (const block of [...finished, ...unfinished]) {
        const end = block.offset + block.source.length;
        const dueAt = begunAt + (end / TOKEN_CHARACTERS / tokensPerSecond) * 1000;
        await new Promise((resolve) => setTimeout(resolve, dueAt - performance.now()));
        floor.text = text.slice(0, end);
      }
      floor.isWhole = true;
    },
  };
}
