import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { JsonObject } from '../core/errors';
import { toJsonObject } from '../outbound/json';
import type { AnyTool, Tool, ToolContext } from './tool';

/** Arguments that don't fit a tool's schema. `message` is for the model: it names what is wrong, in one line. */
export class ArgumentsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArgumentsError';
  }
}

/** A tool with its arguments checked on the way in. */
export function defineTool<Args>(tool: Tool<Args>): AnyTool {
  const { execute, ...rest } = tool;
  return {
    ...rest,
    call: async (args: unknown, context: ToolContext) => execute(checkedArguments(tool.parameters, args), context),
  };
}

/** The arguments as the schema makes them. Throws `ArgumentsError` with every fault, unknown names among them. */
export function checkedArguments<Args>(parameters: v.GenericSchema<unknown, Args>, args: unknown): Args {
  const parsed = v.safeParse(parameters, args);
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map((issue) => {
    const path = v.getDotPath(issue) ?? '';
    if (issue.type === 'strict_object' && issue.expected === 'never') return `unknown argument “${path}”`;
    return path === '' ? issue.message : `“${path}”: ${issue.message}`;
  });
  throw new ArgumentsError([...new Set(faults)].join('; '));
}

/** The schema of a tool's parameters as models read it. */
export function parametersOf(tool: Pick<AnyTool, 'parameters'>): JsonObject {
  const { $schema: _dialect, ...schema } = toJsonObject({ ...toJsonSchema(tool.parameters, { errorMode: 'ignore' }) });
  return schema;
}
