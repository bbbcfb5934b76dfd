import { TEXT_PROFILE } from '../../src/core/profile';
import { DEFAULT_CONTROLS } from '../../src/core/tool';
import { RunEvents } from '../../src/generation/hooks/events';
import { EMPTY_TOOLBOX } from '../../src/generation/toolbox';
import type { TurnContext } from '../../src/generation/turn-context';
import { MODEL } from './generation';

/** A turn without tools that nobody listens to. */
export const quietTurn: Pick<TurnContext, 'steps' | 'profile' | 'facts' | 'toolbox' | 'questionTimeoutMs' | 'events' | 'continued'> = {
  steps: [],
  profile: TEXT_PROFILE,
  facts: {
    controls: DEFAULT_CONTROLS,
    capabilities: { vision: false, tools: false, reasoning: false, contextTokens: null },
    conversationId: 'c',
    assistantId: 'munin',
    hasStoredOutputs: false,
    hasFiles: false,
    makesImages: false,
  },
  toolbox: EMPTY_TOOLBOX,
  questionTimeoutMs: null,
  events: new RunEvents(
    { conversationId: 'c', runId: 'r', nodeId: 'n', model: MODEL, provider: 'scripted', mode: 'text' },
    [],
    () => undefined,
  ),
  continued: [],
};
