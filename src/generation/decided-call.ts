import { AppError } from '../core/errors';
import type { ToolPart } from '../core/node';
import { type AnsweredHow, answerData, answerText, checkAnswers, defaultAnswers, pauseDeadline, resumeDeadline } from '../core/question';
import type { Decision, Question, QuestionAnswer } from '../core/tool';
import { readArguments } from './calls';

/**
 * A waiting call after the user's word (`at`: epoch ms). An approved one is still to be run; a denied or answered one has its result. Throws
 * `answer-incomplete` and `arguments-invalid`.
 */
export function decided(call: ToolPart, decision: Decision, at: number): ToolPart {
  switch (decision.type) {
    case 'approve':
      return approved(call, decision.argumentsText);
    case 'deny':
      return denied(call, decision.reason.trim(), at);
    case 'answer':
      return answered(call, decision.answers, at);
  }
}

/** A question whose time ran out. */
export function timedOut(call: ToolPart, at: number): ToolPart {
  const questions = call.questions ?? [];
  return withAnswers(call, questions, defaultAnswers(questions), { at, how: 'timed-out' });
}

/** A question with its clock stopped, started or taken away. */
export function pausedClock(call: ToolPart, action: 'pause' | 'resume' | 'off', at: number): ToolPart {
  const { deadline, ...rest } = call;
  if (action === 'off' || deadline === undefined) return rest;
  return { ...rest, deadline: action === 'pause' ? pauseDeadline(deadline, at) : resumeDeadline(deadline, at) };
}

function approved(call: ToolPart, argumentsText: string | undefined): ToolPart {
  if (call.questions !== undefined) throw new AppError('answer-incomplete');
  if (argumentsText === undefined || argumentsText === call.argumentsText) return { ...call, approval: 'approved' };
  if (readArguments(argumentsText) === undefined) throw new AppError('arguments-invalid');
  return { ...call, approval: 'approved', editedArguments: argumentsText };
}

function denied(call: ToolPart, reason: string, at: number): ToolPart {
  const { deadline: _deadline, ...rest } = call;
  const why = reason === '' ? 'gave no reason' : `said: “${reason}”`;
  const text =
    call.questions !== undefined
      ? `The user does not want to answer and ${why}. Do not assume any selection; go on without it, or ask differently.`
      : `The user declined this call and ${why}. It was not run. Do not make the same call again; do without it, or ask.`;
  return {
    ...rest,
    approval: 'denied',
    execution: 'failed',
    failure: call.questions !== undefined ? 'unanswered' : 'denied',
    ...(reason === '' ? {} : { reason }),
    endedAt: at,
    result: { text, media: [] },
  };
}

function answered(call: ToolPart, answers: readonly QuestionAnswer[], at: number): ToolPart {
  const { questions } = call;
  if (questions === undefined || checkAnswers(questions, answers) !== null) throw new AppError('answer-incomplete');
  return withAnswers(call, questions, answers, { at, how: 'answered' });
}

function withAnswers(
  call: ToolPart,
  questions: readonly Question[],
  answers: readonly QuestionAnswer[],
  { at, how }: { readonly at: number; readonly how: AnsweredHow },
): ToolPart {
  const { deadline: _deadline, ...rest } = call;
  const result = { text: answerText(questions, answers, how), media: [], data: answerData(questions, answers, how) };
  return { ...rest, approval: 'answered', execution: 'done', endedAt: at, result };
}
