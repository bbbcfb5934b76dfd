import { toJsonObject, isRecord } from '../../src/outbound/json';
import type { JsonObject } from '../../src/core/errors';
import type { AnyTool } from '../../src/tools/tool';

/** What ran, and with what. */
export interface ToolRun {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A tool of a name that takes any arguments, and writes down what it ran with. */
export function openTool(name: string, runs: ToolRun[], text = 'done'): AnyTool {
  return {
    name,
    group: 'session',
    approval: 'never',
    isAgentTool: false,
    description: `Does ${name}.`,
    parameters: { type: 'object', properties: {} },
    available: () => true,
    check: () => undefined,
    call: (args) => {
      runs.push({ name, arguments: isRecord(args) ? toJsonObject(args) : {} });
      return Promise.resolve({ text });
    },
  };
}
