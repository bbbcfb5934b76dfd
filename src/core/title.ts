import type { Draft } from './draft';

// One line of the list; longer ones are cut there anyway.
const MAX_TITLE_CHARACTERS = 60;

/** A title made from the message itself: its first line with words, without markdown signs; else the first file's name; else empty. */
export function localTitle(draft: Draft): string {
  const line = draft.text
    .split('\n')
    .map((candidate) => plain(candidate))
    .find((candidate) => /[\p{L}\p{N}\p{So}]/u.test(candidate));
  return cut(line ?? draft.attachments[0]?.name ?? '');
}

function plain(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+/, '')
    .replace(/[*_`~]+/g, '')
    .replace(/\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Cuts at a word where there is one, never inside a character. */
function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_TITLE_CHARACTERS) return text;
  const head = characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('');
  const space = head.lastIndexOf(' ');
  return `${space > MAX_TITLE_CHARACTERS / 2 ? head.slice(0, space) : head}…`;
}
