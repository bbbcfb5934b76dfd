import type { SystemBlock } from './block';
import { capabilities } from './capabilities';
import { identity } from './identity';

/** In the order in which the model reads them. */
export const SYSTEM_BLOCKS: readonly SystemBlock[] = [identity, capabilities];
