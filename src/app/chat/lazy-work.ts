import { Lazy } from './lazy.svelte';

/** Wanted where an answer used tools or searched. */
export const workBlock = new Lazy(async () => (await import('./parts/WorkBlock.svelte')).default);

/** Wanted in agent-dev. */
export const stepTable = new Lazy(async () => (await import('./StepTable.svelte')).default);
