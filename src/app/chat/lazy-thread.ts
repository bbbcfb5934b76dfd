import { Lazy } from './lazy.svelte';

/** The conversation itself: not needed to begin one. */
export const threadView = new Lazy(async () => (await import('./Thread.svelte')).default);

/** Wanted when an answer waits for the user. */
export const decisionBar = new Lazy(async () => (await import('./decisions/DecisionBar.svelte')).default);
