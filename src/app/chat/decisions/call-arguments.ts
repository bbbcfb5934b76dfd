/** One argument as people read it. */
export interface ArgumentLine {
  readonly name: string;
  readonly value: string;
}

/**
 * Characters that change how others are shown, or are not shown themselves: what is approved must be what is seen. Line breaks and tabs stay, and so
 * do the joiners that emoji and several scripts are written with.
 */
const UNSEEN = /(?!\u200c|\u200d|\n|\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The arguments of a call, one a line: texts as they are, with their line breaks, everything else as JSON. Unseen characters are spelled out. Null
 * where they are not one JSON object; then `visibleText` shows them as they came.
 */
export function argumentLines(argumentsText: string): readonly ArgumentLine[] | null {
  const value = argumentsText.trim() === '' ? {} : parsedObject(argumentsText);
  if (value === null) return null;
  return Object.entries(value).map(([name, argument]: [string, unknown]) => ({
    name: visibleText(name),
    value: visibleText(typeof argument === 'string' ? argument : JSON.stringify(argument, null, 2)),
  }));
}

/** The text with every character that nobody would see spelled out, as `\u202e`. */
export function visibleText(text: string): string {
  const spelled = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  return text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, spelled);
}

/** Whether a text is one JSON object. */
export function isObjectText(text: string): boolean {
  return parsedObject(text) !== null;
}

function parsedObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    // Half typed, or cut in transit.
    return null;
  }
}
