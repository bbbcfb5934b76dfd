import { whenIdle } from './idle';

/** A page that never rests still gets its work done. */
const IDLE_TIMEOUT_MS = 50;

/** Work that is done at once while there is little of it, and otherwise in slices of time between which the page can do other things. */
export class SlicedWork {
  readonly #sliceMs: number;
  // In the order of arrival; a set, so that calling off costs the same for any number.
  readonly #waiting = new Set<() => void>();
  #spentMs = 0;
  #isPlanned = false;

  constructor(sliceMs: number) {
    this.#sliceMs = sliceMs;
  }

  /** Does `work` now, or in a later slice after what was added before. Returns how to call it off. */
  add(work: () => void): () => void {
    // The next slice begins in a task of its own, so what is done until then belongs to this one.
    this.#plan();
    if (this.#waiting.size === 0 && this.#spentMs < this.#sliceMs) {
      this.#do(work);
      return () => undefined;
    }
    this.#waiting.add(work);
    return () => this.#waiting.delete(work);
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    whenIdle(() => {
      this.#isPlanned = false;
      this.#spentMs = 0;
      for (const work of this.#waiting) {
        if (this.#spentMs >= this.#sliceMs) break;
        this.#waiting.delete(work);
        this.#do(work);
      }
      if (this.#waiting.size > 0) this.#plan();
    }, IDLE_TIMEOUT_MS);
  }

  #do(work: () => void): void {
    const startedAt = performance.now();
    work();
    this.#spentMs += performance.now() - startedAt;
  }
}
