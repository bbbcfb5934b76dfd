import { isOpenCall, type Part, type StepContent } from '../core/node';

/** Where in an answer a run goes on. */
export type Position =
  /** The calls of `step` are to be run; the steps before it are finished. */
  | { readonly type: 'calls'; readonly finished: readonly StepContent[]; readonly step: StepContent }
  /** The model is asked: for a step of its own, or, where `continued` holds parts, to go on in the middle of `before`. */
  | {
      readonly type: 'request';
      readonly finished: readonly StepContent[];
      readonly step: number;
      readonly before: StepContent | undefined;
      readonly continued: readonly Part[];
    };

/** Where an answer with these steps goes on: with calls that were never run, after calls that were, or where its last words broke off. */
export function positionOf(steps: readonly StepContent[]): Position {
  const last = steps.at(-1);
  if (last === undefined) return { type: 'request', finished: [], step: 0, before: undefined, continued: [] };
  const finished = steps.slice(0, -1);
  if (last.parts.some(isOpenCall)) return { type: 'calls', finished, step: last };
  if (endsInCalls(last)) return { type: 'request', finished: steps, step: last.step + 1, before: undefined, continued: [] };
  return { type: 'request', finished, step: last.step, before: last, continued: last.parts };
}

/** The model had said everything, and what it said ended in calls. */
function endsInCalls({ parts, finishReason }: StepContent): boolean {
  return finishReason !== undefined && parts.findLast((part) => part.type !== 'citation')?.type === 'tool';
}
