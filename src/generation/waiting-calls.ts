import type { StepContent, ToolPart } from '../core/node';
import { checkCall, withCalls } from './calls';
import type { TurnContext } from './turn-context';

/**
 * The step with those of its calls pending that need the user: sound ones that a policy or the tool itself asks about, and questions. What can't
 * be run anyway is nobody's decision.
 */
export function markWaiting(turn: TurnContext, step: StepContent): StepContent {
  const waiting = new Map<string, Partial<ToolPart>>();
  for (const part of step.parts) {
    if (part.type !== 'tool' || part.execution !== 'open' || part.approval !== 'auto') continue;
    const checked = checkCall(part, step.finishReason ?? null, turn.toolbox);
    if ('failure' in checked) continue;
    const { tool, args } = checked;
    if (tool.approval === 'answer') {
      const questions = tool.questions?.(args) ?? null;
      if (questions !== null) waiting.set(part.callId, { approval: 'pending', questions, ...deadlineOf(turn) });
    } else if (turn.toolbox.policy(tool) === 'ask') waiting.set(part.callId, { approval: 'pending' });
  }
  return withCalls(step, (call) => (waiting.has(call.callId) ? { ...call, ...waiting.get(call.callId) } : call));
}

/** From the moment at which the user can see it. */
function deadlineOf({ questionTimeoutMs, environment }: TurnContext): Pick<ToolPart, 'deadline'> {
  return questionTimeoutMs === null ? {} : { deadline: { type: 'at', at: environment.now() + questionTimeoutMs } };
}
