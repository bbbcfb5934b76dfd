import { Lazy } from './lazy.svelte';

/** Wanted when a call is opened. */
export const toolDetails = new Lazy(async () => (await import('./parts/ToolDetails.svelte')).default);
