import type { Json } from './errors';
import type { QuestionDeadline } from './node';
import type { Question, QuestionAnswer } from './tool';

export function parseQuestions(_args: unknown): { questions: readonly Question[] } | { fault: string } {
  return { fault: 'not here yet' };
}
export function checkAnswers(_questions: readonly Question[], _answers: readonly QuestionAnswer[]): string | null {
  return null;
}
export function defaultAnswers(questions: readonly Question[]): readonly QuestionAnswer[] {
  return questions.map((q) => ({ questionId: q.id, label: q.options[0]?.label ?? '' }));
}
export function answerText(_q: readonly Question[], answers: readonly QuestionAnswer[], how: 'answered' | 'timed-out'): string {
  return `${how} ${JSON.stringify(answers)}`;
}
export function answerData(_q: readonly Question[], _a: readonly QuestionAnswer[], _how: 'answered' | 'timed-out'): Json {
  return null;
}
export function pauseDeadline(deadline: QuestionDeadline, now: number): QuestionDeadline {
  return deadline.type === 'paused' ? deadline : { type: 'paused', leftMs: Math.max(0, deadline.at - now) };
}
export function resumeDeadline(deadline: QuestionDeadline, now: number): QuestionDeadline {
  return deadline.type === 'at' ? deadline : { type: 'at', at: now + deadline.leftMs };
}
