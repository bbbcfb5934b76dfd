import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { JsonObject } from '../core/errors';
import { toJsonObject } from '../outbound/json';
import { ArgumentsError } from './arguments-error';
import type { AnyTool, Tool } from './tool';

/** A tool with its schema as models read it and its arguments checked on the way in. */
export function defineTool<Args>(tool: Tool<Args>): AnyTool {
  const { parameters, ...rest } = tool;
  const checked = (args: unknown): Args => checkedArguments(parameters, args);
  return {
    ...rest,
    parameters: schemaOf(parameters),
    check: (args) => {
      checked(args);
    },
    questions: (args) => tool.questions?.(checked(args)) ?? null,
    call: async (args, context) => tool.execute(checked(args), context),
  };
}

/** The arguments as the schema makes them. Throws `ArgumentsError` with every fault, unknown names among them. */
function checkedArguments<Args>(parameters: v.GenericSchema<unknown, Args>, args: unknown): Args {
  // A list is an object to the schema library.
  if (Array.isArray(args)) throw new ArgumentsError('the arguments have to be an object, not a list');
  const parsed = v.safeParse(parameters, args);
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map((issue) => {
    const path = v.getDotPath(issue) ?? '';
    if (issue.type === 'strict_object' && issue.expected === 'never') return `unknown argument “${path}”`;
    return path === '' ? issue.message : `“${path}”: ${issue.message}`;
  });
  throw new ArgumentsError([...new Set(faults)].join('; '));
}

/** The converter names its dialect, which strict servers refuse. */
function schemaOf(parameters: v.GenericSchema): JsonObject {
  const { $schema: _dialect, ...schema } = toJsonObject({ ...toJsonSchema(parameters, { errorMode: 'ignore' }) });
  return schema;
}
