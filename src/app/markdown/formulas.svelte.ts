import type katex from 'katex';
import { SlicedWork } from './sliced-work';

type Render = typeof katex.render;

/** A formula longer than this, in characters, is shown as it is written. */
const LONGEST_FORMULA = 5_000;
/** Time for formulas in one task; the browser takes about as long again to lay out what was drawn. A usual answer needs less in all. */
const SLICE_MS = 20;

/**
 * Draws formulas once KaTeX has been fetched, which happens when the first one is to be drawn. Without it (no network, never cached) formulas
 * stay as they are written.
 */
class Formulas {
  #render: Render | null = $state.raw(null);
  #isRequested = false;
  readonly #work = new SlicedWork(SLICE_MS);

  get isReady(): boolean {
    return this.#render !== null;
  }

  /** Fetches KaTeX once; a failed attempt is made again for the next formula. */
  load(): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    Promise.all([import('katex'), import('katex/dist/katex.min.css')]).then(
      ([module]) => {
        this.#render = module.default.render;
      },
      () => {
        this.#isRequested = false;
      },
    );
  }

  /**
   * Draws `tex` into `target`, at once or, where there are many, when it is its turn; then tells whether it could be drawn. Returns how to call
   * it off.
   */
  draw(tex: string, display: boolean, target: HTMLElement, whenDone: (isDrawn: boolean) => void): () => void {
    return this.#work.add(() => whenDone(this.#drawNow(tex, display, target)));
  }

  /** Builds elements, never markup, and keeps no macro for the next formula. */
  #drawNow(tex: string, display: boolean, target: HTMLElement): boolean {
    if (this.#render === null || tex.length > LONGEST_FORMULA) return false;
    try {
      // `maxSize` in em: nothing a formula measures may reach far out of its line.
      this.#render(tex, target, {
        displayMode: display,
        trust: false,
        throwOnError: true,
        strict: false,
        output: 'htmlAndMathml',
        maxSize: 25,
        maxExpand: 500,
      });
      return true;
    } catch {
      // Whatever is wrong with it, what the model wrote can still be read.
      target.textContent = '';
      return false;
    }
  }
}

/** The page's only one: KaTeX is fetched once for all messages. */
export const formulas = new Formulas();
