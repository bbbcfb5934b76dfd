/** How a turn talks to its model. A mode is a value in here, never a second code path. */
export interface RunProfile {
  readonly toolTransport: 'none' | 'native' | 'fenced';
  /** Model steps at most. */
  readonly maxSteps: number;
}

/** Pure chat: one step, no tools. */
export const TEXT_PROFILE: RunProfile = { toolTransport: 'none', maxSteps: 1 };
