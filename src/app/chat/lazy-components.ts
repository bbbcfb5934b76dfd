import { Lazy } from './lazy.svelte';

/** Markdown is drawn as plain text until its renderer is here. */
export const markdownView = new Lazy(async () => (await import('../markdown/Markdown.svelte')).default);

/** Opened by a click: none of these belongs to the first screen. */
export const editForm = new Lazy(async () => (await import('./EditForm.svelte')).default);
export const removeDialog = new Lazy(async () => (await import('./RemoveDialog.svelte')).default);
export const imageViewer = new Lazy(async () => (await import('./ImageViewer.svelte')).default);
export const findBar = new Lazy(async () => (await import('./FindBar.svelte')).default);
export const modelList = new Lazy(async () => (await import('./ModelList.svelte')).default);
export const controlsPanel = new Lazy(async () => (await import('./ControlsPanel.svelte')).default);
