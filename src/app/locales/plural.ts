/** The forms of a word by number; a language without a form uses `other`. */
export interface PluralForms {
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** Chooses the form of a number in one language; `#` in it becomes the localised number. */
export function pluralIn(tag: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(tag);
  const number = new Intl.NumberFormat(tag);
  return (count, forms) => {
    const rule = rules.select(count);
    const form = rule === 'zero' ? forms.other : (forms[rule] ?? forms.other);
    return form.replace('#', number.format(count));
  };
}
