/** Something that is fetched on first use, such as a component that the first screen does not need. */
export class Lazy<T> {
  readonly #fetch: () => Promise<T>;
  #value = $state.raw<T | undefined>(undefined);
  #loading: Promise<T> | undefined;

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch;
  }

  /** Undefined until it is there. Reading it fetches; a failed fetch leaves it undefined and is tried again by the next `load`. */
  get current(): T | undefined {
    // The reader shows what it has without it; `load` is for those who must know.
    if (this.#loading === undefined) this.load().catch(() => undefined);
    return this.#value;
  }

  /** Resolves once it is there; rejects when it can't be fetched. */
  async load(): Promise<T> {
    this.#loading ??= this.#fetch();
    const loading = this.#loading;
    try {
      const value = await loading;
      this.#value = value;
      return value;
    } catch (error) {
      if (this.#loading === loading) this.#loading = undefined;
      throw error;
    }
  }
}
