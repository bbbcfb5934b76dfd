import { continuationRequest } from './continuation-request';
import { media } from './media';
import { sanitize } from './sanitize';
import { toolDefinitions } from './tool-definitions';
import { toolRules } from './tool-rules';
import type { InputTransformer } from './transformer';

/** In order. `sanitize` is last: whatever came before it, the request that leaves is one that a server can take. */
export const INPUT_TRANSFORMERS: readonly InputTransformer[] = [media, toolDefinitions, toolRules, continuationRequest, sanitize];
