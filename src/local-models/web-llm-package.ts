import type * as Package from '@mlc-ai/web-llm';

/** The package of the GPU engine: six megabytes, fetched when it is needed. The one place that names it. */
export const loadWebLlm = async (): Promise<typeof Package> => import('@mlc-ai/web-llm');
