import type { CalendarDate } from '@internationalized/date';

/** Why a valid question has no value. `out_of_range`: too large, or too much work. */
export const MATH_ERRORS = ['division_by_zero', 'domain', 'out_of_range'] as const;
export type MathErrorCode = (typeof MATH_ERRORS)[number];

/** Thrown below `solve` and caught there: a fact about the question, not a failure of ours. */
export class MathError extends Error {
  readonly code: MathErrorCode;

  constructor(code: MathErrorCode) {
    super(code);
    this.name = 'MathError';
    this.code = code;
  }
}

/** A printed number: a decimal without group separators; `approximate` where it had to be rounded. */
export interface Printed {
  readonly value: string;
  readonly approximate: boolean;
}

/** What came out. `source` is what was asked, without cues and politeness; values are printed the same in every language. */
export type MathAnswer =
  | ({ readonly type: 'value'; readonly kind: 'arith' | 'percent'; readonly source: string; readonly unit?: '%' } & Printed)
  | ({ readonly type: 'quantity'; readonly source: string; readonly unit: string } & Printed)
  /** ISO date; `weekday` in words of the language asked in. */
  | { readonly type: 'date'; readonly source: string; readonly value: string; readonly weekday: string }
  | { readonly type: 'weekday'; readonly source: string; readonly value: string; readonly date: string }
  | ({ readonly type: 'days'; readonly source: string; readonly unit: 'days' | 'weeks' } & Printed)
  | { readonly type: 'error'; readonly source: string; readonly code: MathErrorCode };

/** `pure`: the whole text is one question; `embedded`: some of the text can be worked out, for the model's context only. */
export type Solution =
  | { readonly shape: 'pure'; readonly answer: MathAnswer }
  | { readonly shape: 'embedded'; readonly answers: readonly MathAnswer[] }
  | { readonly shape: 'none' };

/** Where and when the question is asked. */
export interface Surroundings {
  /** Epoch ms. */
  readonly now: number;
  /** IANA time zone: decides which day is today. */
  readonly zone: string;
  /** The language of weekdays in the answer; absent: the question's. */
  readonly language?: 'en' | 'zh';
}

/** What a date question is asked against. */
export interface DateSurroundings {
  readonly today: CalendarDate;
  readonly language: 'en' | 'zh';
}
