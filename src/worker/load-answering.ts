import type { answering } from './answering';

/** What answers; fetched once. A fetch that failed is tried again with the next use. */
export async function loadAnswering(): Promise<typeof answering> {
  return (await import('./answering')).answering;
}
