import { createSubscriber } from 'svelte/reactivity';

const SECOND_MS = 1000;

/** The time, told once a second and only while someone reads it. */
class Seconds {
  readonly #track = createSubscriber((update) => {
    const timer = setInterval(update, SECOND_MS);
    return () => {
      clearInterval(timer);
    };
  });

  /** Epoch ms, now. */
  get now(): number {
    this.#track();
    return Date.now();
  }
}

/** The one clock of everything in the chat that counts seconds. */
export const seconds = new Seconds();
