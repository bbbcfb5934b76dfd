import type { ModelCapabilities } from './account';
import type { ChatControls } from './tool';

/** How a turn talks to its model. A mode is a value in here, never a second code path. */
export interface RunProfile {
  readonly toolTransport: 'none' | 'native' | 'fenced';
  /** Model steps at most. */
  readonly maxSteps: number;
  /** The user is asked whether to go on each time so many steps are done. */
  readonly askEvery: number;
  /** Everything that happens is written down for developers. */
  readonly isTraced: boolean;
}

// Decision 11 of the product: enough for any task that is worth one answer, and a word of the user's before the cost surprises.
const MAX_STEPS = 256;
const ASK_EVERY_STEPS = 100;

/** Pure chat: one step, no tools. */
export const TEXT_PROFILE: RunProfile = { toolTransport: 'none', maxSteps: 1, askEvery: ASK_EVERY_STEPS, isTraced: false };

/** The profile of a mode with a model. A model that can't call tools talks, whatever the mode. */
export function profileFor({ mode }: Pick<ChatControls, 'mode'>, { tools }: Pick<ModelCapabilities, 'tools'>): RunProfile {
  const isTraced = mode === 'agent-dev';
  if (mode === 'text' || !tools) return { ...TEXT_PROFILE, isTraced };
  return { toolTransport: 'native', maxSteps: MAX_STEPS, askEvery: ASK_EVERY_STEPS, isTraced };
}
