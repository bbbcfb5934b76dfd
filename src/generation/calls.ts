import type { FinishReason, Part, StepContent, ToolFailure, ToolPart } from '../core/node';
import { isRecord, parseJson } from '../outbound/json';
import { ArgumentsError } from '../tools/arguments-error';
import type { AnyTool } from '../tools/tool';
import type { Toolbox } from './toolbox';

/** A call that can be run, or why it can't: `text` is for the model. */
export type CheckedCall = { readonly tool: AnyTool; readonly args: unknown } | { readonly failure: ToolFailure; readonly text: string };

/**
 * Whether a call may run as it stands: the answer it came in ended well, its arguments are one whole JSON object that fits the tool, and the tool
 * is there. What may have been cut in transit is never run.
 */
export function checkCall(call: ToolPart, finishReason: FinishReason | null, toolbox: Toolbox): CheckedCall {
  const tool = toolbox.find(call.name);
  if (tool === undefined) return { failure: 'unknown-tool', text: unknownTool(call.name, toolbox) };
  // Words of the user's were not cut by anybody.
  if (call.editedArguments === undefined && mayBeCut(finishReason)) return { failure: 'arguments-truncated', text: TRUNCATED };
  const args = readArguments(call.editedArguments ?? call.argumentsText);
  if (args === undefined) return { failure: 'arguments-invalid', text: NOT_JSON };
  try {
    tool.check(args);
    return { tool, args };
  } catch (error) {
    if (!(error instanceof ArgumentsError)) throw error;
    return {
      failure: 'arguments-invalid',
      text: `The arguments do not fit ${tool.name}: ${error.message}. Nothing was run. Correct them and call again.`,
    };
  }
}

/** The arguments as an object; an empty text is an empty object, as several servers send it. Undefined for anything else. */
export function readArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return {};
  const value = parseJson(trimmed);
  return isRecord(value) ? value : undefined;
}

/** How often this very call has failed in this answer before. */
export function failuresBefore(call: ToolPart, answer: readonly Part[]): number {
  return answer.filter(
    (part) =>
      part.type === 'tool' &&
      part.callId !== call.callId &&
      part.execution === 'failed' &&
      part.name === call.name &&
      sameArguments(part, call),
  ).length;
}

/** The step with some of its calls changed; the step itself where none is. */
export function withCalls(step: StepContent, change: (call: ToolPart) => ToolPart): StepContent {
  const parts = step.parts.map((part) => (part.type === 'tool' ? change(part) : part));
  return parts.every((part, index) => part === step.parts[index]) ? step : { ...step, parts };
}

/** Calls that nothing will run any more: what the user decided about them stays, and so does what they did. */
export function withoutOpenCalls(parts: readonly Part[]): readonly Part[] {
  return parts.map((part) =>
    part.type === 'tool' && (part.execution === 'open' || part.execution === 'running')
      ? withoutProgress({ ...part, execution: 'interrupted' })
      : part,
  );
}

/** Progress is only told while it lasts. */
export function withoutProgress(call: ToolPart): ToolPart {
  const { progress: _progress, ...rest } = call;
  return rest;
}

/** The answer ended by a limit, a filter or an error: what it said last may be half of what was meant. */
function mayBeCut(reason: FinishReason | null): boolean {
  return reason === 'length' || reason === 'content_filter' || reason === 'error';
}

function sameArguments(a: ToolPart, b: ToolPart): boolean {
  return (a.editedArguments ?? a.argumentsText) === (b.editedArguments ?? b.argumentsText);
}

function unknownTool(name: string, { tools }: Toolbox): string {
  const names = tools.map((tool) => tool.name).join(', ');
  return `There is no tool “${name}”, so nothing was run. ${names === '' ? 'No tools are available.' : `Available tools: ${names}.`}`;
}

const TRUNCATED =
  'The answer was cut off before this call was complete, so nothing was run. Make the call again; if it is long, make it shorter or split it up.';
const NOT_JSON = 'The arguments are not one valid JSON object, so nothing was run. Make the call again with valid JSON.';
