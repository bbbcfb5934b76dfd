import { toErrorData } from '../core/errors';
import type { StepContent, Usage } from '../core/node';
import type { Publisher } from './publisher';
import type { StepResult } from './step';
import type { TurnContext } from './turn-context';

/** What is stored of a model step. `continued` is the step that it went on in. */
export function stepContent(turn: TurnContext, publisher: Publisher, result: StepResult, continued: StepContent | undefined): StepContent {
  const usage = mergeUsage(continued?.usage, publisher.usage);
  return {
    step: publisher.step,
    parts: result.parts,
    model: turn.model,
    ...timesOf(publisher, continued),
    endedAt: turn.now(),
    ...(usage === undefined ? {} : { usage }),
    ...(result.finishReason === null ? {} : { finishReason: result.finishReason }),
    ...(result.failure === null || result.failure === 'stopped' ? {} : { error: toErrorData(result.failure) }),
  };
}

/** A continued answer took as long as both requests: it is as if the first one had ended when the second began. */
function timesOf(publisher: Publisher, continued: StepContent | undefined): Pick<StepContent, 'startedAt' | 'firstOutputAt'> {
  const earlier = continued?.startedAt;
  const shiftMs = earlier === undefined ? 0 : publisher.startedAt - (continued?.endedAt ?? earlier);
  const firstOutputAt = continued?.firstOutputAt === undefined ? publisher.firstOutputAt : continued.firstOutputAt + shiftMs;
  return {
    startedAt: earlier === undefined ? publisher.startedAt : earlier + shiftMs,
    ...(firstOutputAt === undefined ? {} : { firstOutputAt }),
  };
}

/** A continued answer was paid for in two requests: its output adds up, its prompt is the newest. */
function mergeUsage(before: Usage | undefined, now: Usage | undefined): Usage | undefined {
  if (before === undefined || now === undefined) return now ?? before;
  if (before.outputTokens === undefined || now.outputTokens === undefined) return { ...before, ...now };
  return { ...before, ...now, outputTokens: before.outputTokens + now.outputTokens };
}
