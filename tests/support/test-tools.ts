import * as v from 'valibot';
import type { ToolApproval } from '../../src/core/tool';
import { defineTool } from '../../src/tools/define-tool';
import type { AnyTool, ToolContext, ToolOutcome } from '../../src/tools/tool';

export interface TestTool {
  readonly name?: string;
  readonly approval?: ToolApproval;
  readonly isAgentTool?: boolean;
  readonly run?: (args: { readonly text: string }, context: ToolContext) => Promise<ToolOutcome> | ToolOutcome;
}

/** A tool that says its argument back, with what it ran with written into `runs`. */
export function echoTool(runs: string[], { name = 'echo', approval = 'never', isAgentTool = false, run }: TestTool = {}): AnyTool {
  return defineTool({
    name,
    group: 'session',
    approval,
    isAgentTool,
    description: 'Says a text back.',
    parameters: v.strictObject({ text: v.string() }),
    available: () => true,
    execute: async (args, context) => {
      runs.push(`${name}:${args.text}`);
      return run === undefined ? { text: `said ${args.text}` } : run(args, context);
    },
  });
}
