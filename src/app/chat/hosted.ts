import type { HostedPart } from '../../core/node';
import type { Texts } from '../locales/texts';

export type HostedKind = 'search' | 'page' | 'code' | 'files' | 'image' | 'other';

const KINDS: readonly { readonly pattern: RegExp; readonly kind: HostedKind }[] = [
  { pattern: /file_?search/i, kind: 'files' },
  { pattern: /fetch|url_?context|open_?page|browse/i, kind: 'page' },
  { pattern: /search|grounding/i, kind: 'search' },
  { pattern: /code|bash|python|shell/i, kind: 'code' },
  { pattern: /image/i, kind: 'image' },
];

/** What a provider's server does, by the name that the provider gives it. */
export function hostedKind(name: string): HostedKind {
  return KINDS.find(({ pattern }) => pattern.test(name))?.kind ?? 'other';
}

/** What a reader sees of it: one that was cut off before its end runs no more. */
export type HostedState = HostedPart['status'] | 'stopped';

/** It in one line, such as “Searched the web: jackdaw nests”. */
export function hostedLine({ hosted: texts }: Texts['chat'], { name, queries }: HostedPart, state: HostedState): string {
  const kind = hostedKind(name);
  const words = texts[state];
  const about = kind === 'other' ? words.other(name) : words[kind];
  const said = queriesOf(queries);
  return kind === 'code' || said.length === 0 ? about : texts.with(about, said);
}

/** Each once, without those that say nothing. */
export function queriesOf(queries: HostedPart['queries']): readonly string[] {
  return [...new Set(queries.filter((query) => query.trim() !== ''))];
}
