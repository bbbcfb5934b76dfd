import type { ToolDefinition } from '../core/request';
import { policyFor, type ToolPolicies, type ToolPolicy } from '../core/tool';
import type { AnyTool, TurnFacts } from '../tools/tool';

/** The tools of a turn: what is offered to the model, and what of it may run. */
export interface Toolbox {
  /** In the order in which the model reads them. */
  readonly tools: readonly AnyTool[];
  readonly definitions: readonly ToolDefinition[];
  /** The tool that a name means: exactly, or whatever the case where only one fits. */
  find(name: string): AnyTool | undefined;
  policy(tool: AnyTool): ToolPolicy;
}

/** No tools. */
export const EMPTY_TOOLBOX: Toolbox = { tools: [], definitions: [], find: () => undefined, policy: () => 'deny' };

/**
 * The tools that a turn offers: those that can work here and that no decision forbids. What is denied is not known to the model at all. `layers`:
 * the conversation's decisions, then those for good.
 */
export function toolboxOf(all: readonly AnyTool[], facts: TurnFacts, layers: readonly ToolPolicies[]): Toolbox {
  const policies = new Map(all.map((tool) => [tool, policyFor(tool, layers)]));
  const policy = (tool: AnyTool): ToolPolicy => policies.get(tool) ?? 'deny';
  const tools = all.filter((tool) => (facts.controls.agentTools || !tool.isAgentTool) && policy(tool) !== 'deny' && tool.available(facts));
  return {
    tools,
    definitions: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    find: (name) => findByName(tools, name),
    policy,
  };
}

function findByName(tools: readonly AnyTool[], name: string): AnyTool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  // Some servers leak control tokens of the model's template into the name.
  const wanted = name
    .replace(/<\|.*$/s, '')
    .trim()
    .toLowerCase();
  const alike = tools.filter((tool) => tool.name.toLowerCase() === wanted);
  return alike.length === 1 ? alike[0] : undefined;
}
