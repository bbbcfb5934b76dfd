import { DEFAULT_CONTROLS } from '../../src/core/tool';
import type { JackdawDatabase } from '../../src/storage/db';
import type { ToolContext, TurnFacts } from '../../src/tools/tool';

export const FACTS: TurnFacts = {
  controls: DEFAULT_CONTROLS,
  capabilities: { vision: true, tools: true, reasoning: true, contextTokens: null },
  conversationId: 'present',
  assistantId: 'munin',
  hasStoredOutputs: true,
  hasFiles: true,
  makesImages: true,
};

/** A PNG of one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A call's surroundings over a database, with what a test says otherwise. */
export function toolContext(database: JackdawDatabase, changes: Partial<ToolContext> = {}): ToolContext {
  return {
    facts: FACTS,
    signal: new AbortController().signal,
    database,
    callId: 'call',
    toolNames: ['b', 'a'],
    before: [],
    answer: [],
    now: () => 1_790_000_000_000,
    timeZone: 'Europe/Berlin',
    newId: () => 'id',
    report: () => undefined,
    makeImage: () => Promise.resolve({ mimeType: 'image/png', base64: PICTURE }),
    ...changes,
  };
}
