import { Lazy } from './lazy.svelte';

/** Markdown is drawn as plain text until its renderer is here. */
export const markdownView = new Lazy(async () => (await import('../markdown/Markdown.svelte')).default);

/** The conversation itself: not needed to begin one. */
export const threadView = new Lazy(async () => (await import('./Thread.svelte')).default);

/** Opened by a click: none of these belongs to the first screen. */
export const editForm = new Lazy(async () => (await import('./EditForm.svelte')).default);
export const removeDialog = new Lazy(async () => (await import('./RemoveDialog.svelte')).default);
export const imageViewer = new Lazy(async () => (await import('./ImageViewer.svelte')).default);
export const findBar = new Lazy(async () => (await import('./FindBar.svelte')).default);
export const modelList = new Lazy(async () => (await import('./ModelList.svelte')).default);
/** Wanted where an answer used tools or searched. */
export const workBlock = new Lazy(async () => (await import('./parts/WorkBlock.svelte')).default);
export const toolDetails = new Lazy(async () => (await import('./parts/ToolDetails.svelte')).default);
export const stepTable = new Lazy(async () => (await import('./StepTable.svelte')).default);
export const controlsPanel = new Lazy(async () => (await import('./ControlsPanel.svelte')).default);

/** Wanted when an answer waits for the user. */
export const decisionBar = new Lazy(async () => (await import('./decisions/DecisionBar.svelte')).default);
