import { continuation } from './continuation';
import { thinkTags } from './think-tags';
import type { OutputTransformer } from './transformer';

/** In order: tags first, so that nothing inside reasoning is taken for an answer. */
export const OUTPUT_TRANSFORMERS: readonly OutputTransformer[] = [thinkTags, continuation];
