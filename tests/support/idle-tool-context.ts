import { DEFAULT_CONTROLS } from '../../src/core/tool';
import { JackdawDatabase } from '../../src/storage/db';
import type { ToolContext } from '../../src/tools/tool';

/** The surroundings of a call to a tool that needs none: its database is never opened, and what it must not touch throws. */
export function idleToolContext(over: Partial<ToolContext> = {}): ToolContext {
  return {
    facts: {
      controls: DEFAULT_CONTROLS,
      capabilities: { vision: false, tools: true, reasoning: false, contextTokens: null },
      conversationId: 'conversation',
      assistantId: 'munin',
      hasStoredOutputs: false,
      hasFiles: false,
      makesImages: false,
    },
    signal: new AbortController().signal,
    database: new JackdawDatabase('idle'),
    callId: 'call',
    toolNames: [],
    before: [],
    answer: [],
    now: () => Date.parse('2026-03-14T09:26:00+08:00'),
    timeZone: 'Asia/Shanghai',
    newId: () => {
      throw new Error('an idle tool makes no ids');
    },
    report: () => undefined,
    makeImage: () => Promise.reject(new Error('an idle tool makes no pictures')),
    ...over,
  };
}
