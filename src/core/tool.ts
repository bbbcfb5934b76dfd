/**
 * How much a model may do in a conversation. `text`: talk. `tools`: call tools. `agent-dev`: the same, with everything that happens shown and
 * written down.
 */
export const CHAT_MODES = ['text', 'tools', 'agent-dev'] as const;
export type ChatMode = (typeof CHAT_MODES)[number];

/** The switches beside the composer. A conversation has its own; new ones begin with those that were used last. */
export interface ChatControls {
  readonly mode: ChatMode;
  /** The provider's server may search the web, where the account allows it and the model can. */
  readonly webSearch: boolean;
  /** Off: the model is told not to think, where it can be told. */
  readonly thinking: boolean;
  /** Off: only tools that compute and look up are offered, none that plan, ask, or make something. */
  readonly agentTools: boolean;
}

export const DEFAULT_CONTROLS: ChatControls = { mode: 'tools', webSearch: true, thinking: true, agentTools: true };

/** What tools have in common, for policies and for the settings page. */
export const TOOL_GROUPS = ['calculation', 'time', 'conversations', 'questions', 'tasks', 'images', 'session'] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export const TOOL_POLICIES = ['allow', 'ask', 'deny'] as const;
export type ToolPolicy = (typeof TOOL_POLICIES)[number];

/** Decisions by what they are about: `tool:<name>`, `server:<id>`, `group:<group>`. */
export type ToolPolicies = { readonly [about: string]: ToolPolicy };

/**
 * Whether calls of a tool run by themselves, wait for the user's word, or wait for the user's answer, where no policy says otherwise. A question
 * is never approved: its answer is the approval.
 */
export type ToolApproval = 'never' | 'ask' | 'answer';

/** A tool as policies see it and as the page lists it. Titles are the page's. */
export interface ToolDescription {
  readonly name: string;
  readonly group: ToolGroup;
  /** The server that it comes from; absent: the app itself. */
  readonly serverId?: string;
  readonly approval: ToolApproval;
  /** Needs the switch for agent tools. */
  readonly isAgentTool: boolean;
}

/**
 * The policy for a tool. A denial anywhere wins; else the narrowest word: the tool's before its server's before its group's; else what the tool
 * asks for by itself. `layers` are sets of decisions, the more particular first: the conversation's, then the user's for good.
 */
export function policyFor(tool: ToolDescription, layers: readonly ToolPolicies[]): ToolPolicy {
  const keys = policyKeys(tool);
  const said = keys.flatMap((key) => layers.flatMap((layer) => layer[key] ?? []));
  if (said.includes('deny')) return 'deny';
  return said[0] ?? (tool.approval === 'ask' ? 'ask' : 'allow');
}

/** What decisions about a tool can be stored under, the narrowest first. */
export function policyKeys(tool: Pick<ToolDescription, 'name' | 'group' | 'serverId'>): readonly string[] {
  return [`tool:${tool.name}`, ...(tool.serverId === undefined ? [] : [`server:${tool.serverId}`]), `group:${tool.group}`];
}

/** One choice of a question. */
export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
  readonly isRecommended: boolean;
}

/** A checked question; the recommended choice, if there is one, stands first. */
export interface Question {
  readonly id: string;
  readonly prompt: string;
  /** A word or two for its tab. */
  readonly header?: string;
  readonly options: readonly QuestionOption[];
}

/** What the user chose: a listed label, or words of their own. */
export type QuestionAnswer =
  { readonly questionId: string; readonly label: string } | { readonly questionId: string; readonly custom: string };

/** What the user does about a call that waits. `conversation` and `always` hold for every later call of that tool. */
export type Decision =
  | {
      readonly type: 'approve';
      readonly scope: 'once' | 'conversation' | 'always';
      /** Changed arguments, a JSON object. */
      readonly argumentsText?: string;
    }
  | { readonly type: 'deny'; readonly scope: 'once' | 'always'; readonly reason: string }
  | { readonly type: 'answer'; readonly answers: readonly QuestionAnswer[] };
