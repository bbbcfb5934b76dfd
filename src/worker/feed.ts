/** What one side tells and the other reads when it has time; nothing is lost between them. */
export class Feed<T> {
  readonly #items: T[] = [];
  #end: { readonly error: unknown } | 'done' | undefined;
  #wake: () => void = () => undefined;

  push(item: T): void {
    if (this.#end !== undefined) return;
    this.#items.push(item);
    this.#wake();
  }

  /** Nothing comes after it. */
  close(): void {
    this.#end ??= 'done';
    this.#wake();
  }

  /** Whoever reads gets what is there already, and then this error. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** Everything in order. Throws what it failed with, and the signal's reason at once when that fires. */
  async *read(signal: AbortSignal): AsyncGenerator<T> {
    const wake = (): void => {
      this.#wake();
    };
    signal.addEventListener('abort', wake);
    try {
      for (;;) {
        signal.throwIfAborted();
        const items = this.#items.splice(0);
        if (items.length > 0) {
          yield* items;
          continue;
        }
        if (this.#end === 'done') return;
        if (this.#end !== undefined) throw this.#end.error;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }
}
