import { checkAnswers } from '../../../core/question';
import type { Question, QuestionAnswer } from '../../../core/tool';

/** What is chosen for one question: a listed label, own words, or nothing yet. */
type Pick = { readonly type: 'label'; readonly label: string } | { readonly type: 'own' } | { readonly type: 'none' };

interface Entry {
  readonly pick: Pick;
  /** Kept while another choice is picked. */
  readonly ownWords: string;
  /** The user has decided about it; what is recommended is only picked beforehand. */
  readonly isDecided: boolean;
}

/** Answers on their way: what is picked for each question, and which one is before the user. */
export class QuestionForm {
  readonly #questions: readonly Question[];
  #entries = $state.raw<readonly Entry[]>([]);
  #at = $state(0);

  constructor(questions: readonly Question[]) {
    this.#questions = questions;
    this.#entries = questions.map(({ options }) => {
      const recommended = options.find((option) => option.isRecommended);
      return {
        pick: recommended === undefined ? { type: 'none' } : { type: 'label', label: recommended.label },
        ownWords: '',
        isDecided: false,
      };
    });
  }

  /** Place of the question that is shown. */
  get at(): number {
    return this.#at;
  }

  get question(): Question | undefined {
    return this.#questions[this.#at];
  }

  get ownWords(): string {
    return this.#entries[this.#at]?.ownWords ?? '';
  }

  get isOwn(): boolean {
    return this.#entries[this.#at]?.pick.type === 'own';
  }

  /** Every question has an answer. */
  get isComplete(): boolean {
    return checkAnswers(this.#questions, this.answers) === null;
  }

  /** One for each question that has one. */
  get answers(): readonly QuestionAnswer[] {
    return this.#questions.flatMap(({ id: questionId }, index): readonly QuestionAnswer[] => {
      const entry = this.#entries[index];
      if (entry?.pick.type === 'label') return [{ questionId, label: entry.pick.label }];
      const custom = entry?.pick.type === 'own' ? entry.ownWords.trim() : '';
      return custom === '' ? [] : [{ questionId, custom }];
    });
  }

  isPicked(label: string): boolean {
    const pick = this.#entries[this.#at]?.pick;
    return pick?.type === 'label' && pick.label === label;
  }

  isDecided(index: number): boolean {
    return (this.#entries[index]?.isDecided ?? false) && this.#isAnswered(index);
  }

  show(index: number): void {
    this.#at = index;
  }

  pick(label: string): void {
    this.#change({ pick: { type: 'label', label }, isDecided: true });
  }

  pickOwn(): void {
    this.#change({ pick: { type: 'own' }, isDecided: true });
  }

  write(ownWords: string): void {
    this.#change({ pick: { type: 'own' }, ownWords, isDecided: true });
  }

  /** What is picked holds; shows the next question that nobody has decided about. False where there is none, or where this one has no answer. */
  next(): boolean {
    if (!this.#isAnswered(this.#at)) return false;
    this.#change({ isDecided: true });
    const count = this.#questions.length;
    const order = Array.from({ length: count - 1 }, (_value, step) => (this.#at + 1 + step) % count);
    const open = order.find((index) => !this.isDecided(index));
    if (open === undefined) return false;
    this.#at = open;
    return true;
  }

  #isAnswered(index: number): boolean {
    const id = this.#questions[index]?.id;
    return this.answers.some(({ questionId }) => questionId === id);
  }

  #change(change: Partial<Entry>): void {
    this.#entries = this.#entries.map((entry, index) => (index === this.#at ? { ...entry, ...change } : entry));
  }
}
