import type { Json } from './errors';
import type { QuestionDeadline } from './node';
import type { Question, QuestionAnswer, QuestionOption } from './tool';

/** Limits of one call: what a person can still take in at once, and decide about. */
export const QUESTION_LIMITS = { questions: 4, options: { least: 2, most: 6 } } as const;

/** A question as the model writes it. */
export interface AskedQuestion {
  readonly id?: string | undefined;
  readonly question: string;
  readonly header?: string | undefined;
  readonly options: readonly {
    readonly label: string;
    readonly description?: string | undefined;
    readonly recommended?: boolean | undefined;
  }[];
}

/** `fault` is for the model: what is wrong with which question, so that it can be put right. */
export type ParsedQuestions = { readonly questions: readonly Question[] } | { readonly fault: string };

/**
 * Questions ready to be put: ids given where there were none, the recommended choice first. All rules are those of the design's chapter on questions:
 * one to four questions, each with two to six choices, all with as many, at most one of them recommended, no label or id twice, nothing blank.
 */
export function parseQuestions(asked: readonly AskedQuestion[]): ParsedQuestions {
  const { questions: most } = QUESTION_LIMITS;
  if (asked.length === 0 || asked.length > most)
    return { fault: `Ask one to ${String(most)} questions at once, not ${String(asked.length)}.` };
  const questions = asked.map(toQuestion);
  const fault = asked.map(faultOf).find((found) => found !== null) ?? faultOfAll(questions);
  return fault === null ? { questions } : { fault };
}

/** What is missing or not among the choices; null where every question has its answer. */
export function checkAnswers(questions: readonly Question[], answers: readonly QuestionAnswer[]): 'missing' | 'unknown' | null {
  if (answers.some(({ questionId }) => questions.every(({ id }) => id !== questionId))) return 'unknown';
  for (const { id, options } of questions) {
    const given = answers.filter(({ questionId }) => questionId === id);
    const [answer] = given;
    if (answer === undefined || given.length > 1) return 'missing';
    if ('custom' in answer ? answer.custom.trim() === '' : false) return 'missing';
    if ('label' in answer && options.every(({ label }) => label !== answer.label)) return 'unknown';
  }
  return null;
}

/** What holds where nobody answers: the recommended choice, else the first one. */
export function defaultAnswers(questions: readonly Question[]): readonly QuestionAnswer[] {
  return questions.flatMap(({ id, options: [first] }) => (first === undefined ? [] : [{ questionId: id, label: first.label }]));
}

export type AnsweredHow = 'answered' | 'timed-out';

/** What the model reads of the answers: each final choice, own words marked as such, and that nobody was there where that is so. */
export function answerText(questions: readonly Question[], answers: readonly QuestionAnswer[], how: AnsweredHow): string {
  const head =
    how === 'answered'
      ? 'The user answered:'
      : 'The user did not answer in time. These are the recommended choices, not the user’s own; go on with them:';
  return [head, ...questions.map((question) => `- ${question.prompt}\n  ${wordsOf(question, answers)}`)].join('\n');
}

/** What the card is drawn from once it is decided. */
export function answerData(questions: readonly Question[], answers: readonly QuestionAnswer[], how: AnsweredHow): Json {
  return {
    kind: 'ask_user_question',
    timedOut: how === 'timed-out',
    answers: questions.map((question) => {
      const answer = answers.find(({ questionId }) => questionId === question.id);
      const isOwn = answer !== undefined && 'custom' in answer;
      return { prompt: question.prompt, answer: answer === undefined ? '' : isOwn ? answer.custom : answer.label, isOwn };
    }),
  };
}

/** Milliseconds until a question answers itself, never less than 0; null: it never does. `now`: epoch ms. */
export function deadlineLeft(deadline: QuestionDeadline | undefined, now: number): number | null {
  if (deadline === undefined) return null;
  return deadline.type === 'paused' ? deadline.leftMs : Math.max(0, deadline.at - now);
}

/** The clock stands still. */
export function pauseDeadline(deadline: QuestionDeadline, now: number): QuestionDeadline {
  return deadline.type === 'paused' ? deadline : { type: 'paused', leftMs: Math.max(0, deadline.at - now) };
}

/** The clock goes on with what was left. */
export function resumeDeadline(deadline: QuestionDeadline, now: number): QuestionDeadline {
  return deadline.type === 'at' ? deadline : { type: 'at', at: now + deadline.leftMs };
}

function toQuestion({ id, question, header, options }: AskedQuestion, index: number): Question {
  const given = options.map(({ label, description, recommended }): QuestionOption => ({
    label: label.trim(),
    ...(description === undefined || description.trim() === '' ? {} : { description: description.trim() }),
    isRecommended: recommended ?? false,
  }));
  return {
    id: id === undefined || id.trim() === '' ? `q${String(index + 1)}` : id.trim(),
    prompt: question.trim(),
    ...(header === undefined || header.trim() === '' ? {} : { header: header.trim() }),
    options: [...given.filter(({ isRecommended }) => isRecommended), ...given.filter(({ isRecommended }) => !isRecommended)],
  };
}

function faultOf({ question, options }: AskedQuestion, index: number): string | null {
  const { least, most } = QUESTION_LIMITS.options;
  const name = `Question ${String(index + 1)}`;
  if (question.trim() === '') return `${name} has no words.`;
  if (options.length < least || options.length > most) {
    return `${name} has ${String(options.length)} option${options.length === 1 ? '' : 's'}; it needs ${String(least)} to ${String(most)}.`;
  }
  if (options.filter(({ recommended }) => recommended === true).length > 1) return `${name} recommends more than one option.`;
  const labels = options.map(({ label }) => label.trim());
  if (labels.includes('')) return `${name} has an option without a label.`;
  const twice = labels.find((label, at) => labels.indexOf(label) !== at);
  return twice === undefined ? null : `${name} has the option “${twice}” twice.`;
}

function faultOfAll(questions: readonly Question[]): string | null {
  const [first = 0, ...others] = questions.map(({ options }) => options.length);
  const other = others.findIndex((count) => count !== first);
  if (other >= 0) {
    return `Question ${String(other + 2)} has ${String(others[other])} options and question 1 has ${String(first)}; all need equally many.`;
  }
  const ids = questions.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? null : `The id “${twice}” stands for two questions.`;
}

function wordsOf({ id }: Question, answers: readonly QuestionAnswer[]): string {
  const answer = answers.find(({ questionId }) => questionId === id);
  if (answer === undefined) return '(no answer)';
  return 'custom' in answer ? `“${answer.custom.trim()}” (in the user’s own words)` : answer.label;
}
